import { Injectable } from '@nestjs/common';
import { platformUrl, Settings } from '#config/settings';
import type { CircuitBreakerSettings } from '#delivery/circuit-breaker';
import { LEASE_BEYOND_TIMEOUT_MS } from '#delivery/lease';
import type { RetryPolicy } from '#delivery/retry-schedule';
import type { PlatformSettings } from './ping-sender.js';
import { type PlatformBreakerSettings, platformBreaker } from './platform-circuit-breaker.js';

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
    this.breaker = platformBreaker(this);
    this.perSecond = settings.PING_RATE_PER_SECOND;
  }
}
