import { type CircuitBreaker, CLOSED } from '#delivery-kit/circuit-breaker';
import { PingRateLimiter } from '#outbound/pings/ping-rate-limiter';
import type { PingSender } from '#outbound/pings/ping-sender';
import type { PlatformBreakerSettings } from '#outbound/pings/ping-settings';
import { PlatformCircuitBreaker } from '#outbound/pings/platform-circuit-breaker';
import type { PlatformRecord } from '#outbound/pings/platform-record';
import type { Clock } from '#base/clock';
import { ScriptedRandomness } from '../fixed-clock.js';

type StoredRecord = Pick<PlatformRecord, 'read' | 'save' | 'claim' | 'reserve'>;

/** The shared row of all workers, in memory. */
export class RecordDouble implements StoredRecord {
  breaker: CircuitBreaker = CLOSED;
  pacedUntil = 0;
  /** The number of calls. */
  calls = 0;

  constructor(private readonly clock: Clock) {}

  async read(): Promise<CircuitBreaker> {
    this.calls += 1;
    return this.breaker;
  }

  async save(breaker: CircuitBreaker): Promise<void> {
    this.calls += 1;
    this.breaker = breaker;
  }

  async claim(until: number): Promise<boolean> {
    this.calls += 1;
    const { state, openUntil } = this.breaker;
    if (state === 'closed' || (openUntil ?? 0) > this.clock.now()) return false;
    this.breaker = { ...this.breaker, state: 'half_open', openUntil: until };
    return true;
  }

  async reserve(ms: number): Promise<number> {
    this.calls += 1;
    const from = Math.max(this.pacedUntil, this.clock.now());
    this.pacedUntil = from + ms;
    return from;
  }
}

type Options = { record?: StoredRecord; perSecond?: number };

/** The breaker never opens, unless a test changes the settings. */
const SETTINGS: PlatformBreakerSettings = {
  breaker: { failuresToOpen: Infinity, firstMs: 1_000, maxMs: 10_000 },
  forMs: 600_000,
  probeMs: 20_000,
};

/** A worker's circuit breaker, without jitter. Workers share state if they share a record. */
export function createBreaker(
  sender: Pick<PingSender, 'send'>,
  clock: Clock,
  { record = new RecordDouble(clock), perSecond = 0, ...settings }: Partial<PlatformBreakerSettings> & Options = {},
): PlatformCircuitBreaker {
  const onError = (error: unknown) => {
    throw error;
  };
  const dependencies = { sender, record, clock, randomness: new ScriptedRandomness(0), onError };
  return new PlatformCircuitBreaker(
    dependencies,
    { ...SETTINGS, ...settings },
    new PingRateLimiter(record, clock, { perSecond }),
  );
}
