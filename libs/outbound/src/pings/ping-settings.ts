import { Injectable } from '@nestjs/common';
import { platformUrl, Settings } from '#base/settings';
import { breakerOf, type CircuitBreakerSettings } from '#delivery-kit/circuit-breaker';
import { LEASE_BEYOND_TIMEOUT_MS } from '#delivery-kit/lease';
import type { RetryPolicy } from '#delivery-kit/retry-schedule';

export type PlatformSettings = Readonly<{
  /** The base URL of the platform. It may contain a path. */
  url: string;
  /** The word in `X-<scheme>-Transaction-Id`. */
  scheme: string;
  /** For a whole attempt: connecting, sending, and reading the response. */
  timeoutMs: number;
  connections: number;
}>;

export type PlatformBreakerSettings = Readonly<{
  breaker: CircuitBreakerSettings;
  /** PING_RETRY_FOR_MS. */
  forMs: number;
  /** The longest time for a probe and its record. After this another worker may probe the platform. */
  probeMs: number;
}>;

// Short, because the retry schedule is what we promise the platform: the breaker delays no ping by more than this.
export const LONGEST_PLATFORM_BREAK_MS = 10_000;

/** Times in milliseconds. */
@Injectable()
export class PingSettings implements PlatformSettings, RetryPolicy, PlatformBreakerSettings {
  readonly url: string;
  readonly scheme: string;
  readonly timeoutMs: number;
  readonly connections: number;
  readonly firstMs: number;
  readonly maxMs: number;
  readonly forMs: number;
  readonly leaseMs: number;
  readonly probeMs: number;
  readonly breaker: CircuitBreakerSettings;
  /** All workers together. 0 for no limit. */
  readonly perSecond: number;

  constructor(settings: Settings) {
    this.url = platformUrl(settings);
    this.scheme = settings.CHECKOUT_SCHEME;
    this.timeoutMs = settings.PING_TIMEOUT_MS;
    this.connections = settings.PING_CONCURRENCY;
    this.firstMs = settings.PING_RETRY_FIRST_MS;
    this.maxMs = settings.PING_RETRY_MAX_MS;
    this.forMs = settings.PING_RETRY_FOR_MS;
    this.leaseMs = this.probeMs = settings.PING_TIMEOUT_MS + LEASE_BEYOND_TIMEOUT_MS;
    this.breaker = breakerOf(this, LONGEST_PLATFORM_BREAK_MS);
    this.perSecond = settings.PING_RATE_PER_SECOND;
  }
}
