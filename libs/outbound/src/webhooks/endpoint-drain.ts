import type { Clock } from '#base/clock';
import type { Randomness } from '#base/randomness';
import { Pause } from '#base/pause';
import { continued, traceHeaders } from '#base/tracing';
import { jobSpan } from '#delivery-kit/queue-task';
import type { RetryPolicy } from '#delivery-kit/retry-schedule';
import { headersOf } from '#delivery-kit/signed-message';
import { attemptOf } from './attempts.js';
import { type Command, decide, isDrained, isOutOfTime, nextWakeupAt, type Observation } from './drain-decision.js';
import { initialState, type DrainEvent, type DrainState, transition } from './drain-state.js';
import { DeliveryQueue } from './delivery-queue.js';
import type { Receiver } from './receiver.js';
import type { Attempt } from '#delivery-kit/attempt';
import type { DueDelivery, Recorded, WebhookAttempt, WebhookLedger } from './webhook-ledger.js';
import { epochHeader, entryMessage } from '../webhook-message.js';
import type { Destinations } from './destinations.js';
import { DUE_AT_ONCE } from './webhook-ledger-statements.js';

/** `at` is in milliseconds since the epoch. */
export type Wakeup = Readonly<{ webhookId: string; at: number }>;

export type DrainDependencies = Readonly<{
  ledger: WebhookLedger;
  destinations: Pick<Destinations, 'send'>;
  clock: Clock;
  randomness: Randomness;
  retry: RetryPolicy;
  onAttempt: (state: Attempt['state']) => void;
  epoch?: () => string | undefined;
  /** How long an idle drain waits for more work, to save a new job and lease. Must be 0 if other endpoints may be waiting for a worker. */
  lingerMs: () => number;
}>;

// After this time the drain ends if other endpoints are waiting.
const SLICE_MS = 30_000;

const GONE = 410;

/** Sends several orders in parallel, each order in sequence. It executes the decisions of drain-decision.ts. */
export class EndpointDrain {
  private readonly queue = new DeliveryQueue();
  private readonly pause = new Pause();
  private state: DrainState;

  constructor(
    private readonly dependencies: DrainDependencies,
    private readonly receiver: Receiver,
  ) {
    this.state = initialState(dependencies.clock.monotonic() + SLICE_MS);
  }

  wake(): void {
    this.on({ is: 'wake' });
    this.pause.wake();
  }

  stop(): void {
    this.on({ is: 'stop' });
    this.pause.wake();
  }

  /** Returns when the endpoint must be checked again. Throws the first error once no delivery is in flight. */
  async run(): Promise<Wakeup | undefined> {
    for (;;) {
      const command = decide(this.state, this.observe());
      if (command.do === 'end') break;
      const pending = this.execute(command);
      // Sends do not wait, so they all start in the same turn of the event loop.
      if (pending) await pending;
    }
    if (this.state.error !== undefined) throw this.state.error;
    return this.again();
  }

  private on(event: DrainEvent): void {
    this.state = transition(this.state, event);
  }

  private observe(): Observation {
    const { clock, lingerMs } = this.dependencies;
    const now = clock.now();
    return {
      now,
      monotonic: clock.monotonic(),
      queued: this.queue.length,
      capacity: this.receiver.capacity(now),
      waitMs: this.receiver.waitMs(now),
      lingerMs: lingerMs(),
      isHealthy: this.receiver.isHealthy,
    };
  }

  private execute(command: Command): Promise<unknown> | void {
    switch (command.do) {
      case 'read':
        return this.read();
      case 'send':
        return this.send();
      case 'dropQueue':
        return this.dropQueue();
      case 'recheck':
        return this.on({ is: 'wake' });
      case 'wait':
        return this.pause.wait(command.ms);
      case 'linger':
        return this.linger(command.ms);
      case 'release':
        return this.release();
      case 'abandon':
        return this.abandon();
    }
  }

  private async read(): Promise<void> {
    const { ledger, clock } = this.dependencies;
    const { lease } = this.receiver;
    this.on({ is: 'read', at: clock.monotonic() });
    this.queue.beginRead();
    try {
      const ingested = await ledger.ingest(lease);
      if (!ingested) return this.on({ is: 'lose' });
      if (ingested.version !== this.receiver.endpoint.version && !(await this.adopt())) return this.on({ is: 'lose' });
      if (this.receiver.capacity(clock.now()) === 0) return this.on({ is: ingested.more ? 'readSome' : 'readAll' });
      const early = this.receiver.breaker.state !== 'closed';
      const { due, nextDue } = await ledger.due(lease.webhookId, { early });
      const hasAll = this.queue.add(due) && due.length < DUE_AT_ONCE && !ingested.more;
      this.on({ is: hasAll ? 'readAll' : 'readSome', due: { next: nextDue } });
    } catch (error) {
      this.on({ is: 'lose', error });
    }
  }

  /** False if the endpoint was removed. */
  private async adopt(): Promise<boolean> {
    await this.receiver.saved();
    const endpoint = await this.dependencies.ledger.endpoint(this.receiver.lease.webhookId);
    if (endpoint) this.receiver.adopt(endpoint);
    return endpoint !== undefined;
  }

  private dropQueue(): void {
    if (this.queue.length > 0) this.on({ is: 'dropQueue' });
    this.queue.clear();
  }

  private send(): void {
    const due = this.queue.shift();
    if (!due) return;
    const now = this.dependencies.clock.now();
    this.on({ is: 'send' });
    this.receiver.begin(now);
    void this.deliver(due, now)
      // An attempt that was not recorded must not be followed by another one. The next holder of the lease repeats it.
      .catch((error: unknown) => this.on({ is: 'lose', error }))
      .finally(() => {
        this.on({ is: 'sent' });
        this.pause.wake();
      });
  }

  private async deliver(due: DueDelivery, startedAt: number): Promise<void> {
    const { ledger, destinations, clock, randomness, retry, epoch } = this.dependencies;
    const { endpoint, lease } = this.receiver;
    const { id: webhookId, url, credentials, signers } = endpoint;
    const { position, type, orderId: subject } = due;
    const message = { ...entryMessage(due), position, type, subject };
    const headers = { ...headersOf(message, signers, startedAt), ...epochHeader(epoch?.()) };
    const outcome = await continued(due.traceparent, jobSpan('webhooks'), () =>
      destinations.send({ webhookId, url, credentials, headers: { ...headers, ...traceHeaders() }, ...message }),
    );
    const timed = { outcome, startedAt, endedAt: clock.now(), fraction: randomness.fraction() };
    const before = this.receiver.breaker;
    const changed = this.receiver.recordOutcome(timed);
    const attempt = attemptOf(due, endpoint.url, timed, this.receiver.breaker, retry);
    const recorded = await ledger.record(lease, attempt);
    if (!recorded) return this.on({ is: 'lose' });
    this.dependencies.onAttempt(attempt.state);
    if (outcome.httpStatus === GONE) {
      this.on({ is: 'lose' });
      return await this.receiver.disable('the receiver answered 410 Gone');
    }
    if (changed && !(await this.receiver.saved())) return this.on({ is: 'lose' });
    // While the breaker was open, deliveries were read in the order of their next attempts. Now all are due, the oldest first.
    if (before.state !== 'closed' && this.receiver.breaker.state === 'closed') this.dropQueue();
    if (changed) this.on({ is: 'wake' });
    this.proceed(attempt, recorded);
  }

  private proceed(attempt: WebhookAttempt, { version, next }: NonNullable<Recorded>): void {
    if (attempt.nextTryAt !== null) this.on({ is: 'postponed', until: attempt.nextTryAt });
    this.queue.done(attempt.orderId, next);
    if (version === this.receiver.endpoint.version) return;
    this.dropQueue();
    this.on({ is: 'wake' });
  }

  private async linger(ms: number): Promise<void> {
    if (await this.recordCaughtUp()) this.on({ is: 'linger', until: this.dependencies.clock.monotonic() + ms });
  }

  private async release(): Promise<void> {
    const { lease, pacedUntil, isHealthy } = this.receiver;
    if (isDrained(this.state, { isHealthy }) && !(await this.recordCaughtUp())) return;
    this.on({ is: 'release' });
    try {
      const released = await this.dependencies.ledger.release(lease, pacedUntil);
      this.on({ is: released ? 'released' : 'wokenAtRelease' });
    } catch (error) {
      this.on({ is: 'lose', error });
    }
  }

  /** Does nothing if another worker has the lease by now. */
  private async abandon(): Promise<void> {
    await this.dependencies.ledger.releaseAfterError(this.receiver.lease, this.receiver.pacedUntil);
    this.on({ is: 'abandon' });
  }

  private async recordCaughtUp(): Promise<boolean> {
    try {
      await this.receiver.caughtUp();
      return true;
    } catch (error) {
      this.on({ is: 'lose', error });
      return false;
    }
  }

  private again(): Wakeup | undefined {
    const { endpoint, breaker, pacedUntil, lease } = this.receiver;
    const { clock, lingerMs } = this.dependencies;
    const at = nextWakeupAt(this.state, {
      now: clock.now(),
      isActive: endpoint.state === 'active',
      openUntil: breaker.state === 'open' ? breaker.openUntil : null,
      pacedUntil,
      outOfTime: isOutOfTime(this.state, { monotonic: clock.monotonic(), lingerMs: lingerMs() }),
    });
    return at === undefined ? undefined : { webhookId: lease.webhookId, at };
  }
}
