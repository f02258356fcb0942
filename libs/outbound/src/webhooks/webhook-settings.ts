import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { breakerOf, type CircuitBreakerSettings } from '#delivery-kit/circuit-breaker';
import { LEASE_BEYOND_TIMEOUT_MS } from '#delivery-kit/lease';
import type { RetryPolicy } from '#delivery-kit/retry-schedule';
import { LONGEST_BREAK_MS } from './webhook-ledger-statements.js';

export type SenderSettings = Readonly<{
  /** For a whole attempt: connecting, sending, and reading the response. */
  timeoutMs: number;
  connections: number;
}>;

type AttemptSettings = Readonly<{ retry: RetryPolicy; breaker: CircuitBreakerSettings }>;

export type ReceiverSettings = AttemptSettings & Readonly<{ atOnce: number }>;

// A receiver that hangs occupies at most these until the time-out.
const DELIVERIES_AT_ONCE = 10;

/** Times in milliseconds. */
@Injectable()
export class WebhookSettings implements SenderSettings, ReceiverSettings {
  readonly timeoutMs: number;
  readonly connections = DELIVERIES_AT_ONCE;
  readonly atOnce = DELIVERIES_AT_ONCE;
  readonly retry: RetryPolicy;
  readonly breaker: CircuitBreakerSettings;
  readonly leaseMs: number;
  readonly concurrency: number;

  constructor(settings: Settings) {
    const { PING_RETRY_FIRST_MS: firstMs, PING_RETRY_MAX_MS: maxMs, PING_RETRY_FOR_MS: forMs } = settings;
    this.timeoutMs = settings.PING_TIMEOUT_MS;
    this.retry = { firstMs, maxMs, forMs };
    this.breaker = breakerOf(this.retry, LONGEST_BREAK_MS);
    this.leaseMs = settings.PING_TIMEOUT_MS + LEASE_BEYOND_TIMEOUT_MS;
    this.concurrency = settings.WEBHOOK_CONCURRENCY;
  }
}
