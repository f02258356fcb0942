import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import type { CircuitBreaker } from '#delivery-kit/circuit-breaker';
import { Logger } from '#platform/logger';
import type { Clock } from '#base/clock';
import { CAUGHT_UP, DISABLE, SAVE_BREAKER } from './webhook-ledger-statements.js';
import type { Lease } from './webhook-ledger.js';

export type NoticeKind = 'webhook.disabled' | 'webhook.breaker_opened' | 'webhook.caught_up';

/** For the operators of the service. `subject` is a webhook's id. */
export type Notice = Readonly<{ kind: NoticeKind; subject: string; message: string }>;

/** Each method returns false if the lease was no longer held. Then it has written nothing, not even a notice. */
@Injectable()
export class EndpointRecord {
  constructor(
    @Inject(LazyCommitPool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    @Inject(Logger) private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** When the breaker closes, all pending deliveries become due again, the oldest first. */
  async saveBreaker(lease: Lease, before: CircuitBreaker, after: CircuitBreaker): Promise<boolean> {
    const opened = before.state === 'closed' && after.state === 'open';
    const closed = before.state !== 'closed' && after.state === 'closed';
    const message = `${after.failures} deliveries in a row failed: the receiver is probed from time to time, and no delivery is lost`;
    const notice = opened ? ({ kind: 'webhook.breaker_opened', message } as const) : undefined;
    const openUntil = after.openUntil === null ? null : new Date(after.openUntil);
    const breaker = [after.state, after.failures, after.openings, openUntil];
    return await this.write(SAVE_BREAKER, lease, notice, [...breaker, closed]);
  }

  /** Also releases the lease. */
  async disable(lease: Lease, reason: string): Promise<boolean> {
    const message = `${reason}: nothing is sent until somebody resumes the webhook`;
    return await this.write(DISABLE, lease, { kind: 'webhook.disabled', message }, [reason]);
  }

  /** Does nothing unless the endpoint is recovering. */
  async caughtUp(lease: Lease): Promise<boolean> {
    const message = 'all pending deliveries have been sent';
    return await this.write(CAUGHT_UP, lease, { kind: 'webhook.caught_up', message }, []);
  }

  private async write(
    statement: string,
    { webhookId, fence }: Lease,
    notice: Omit<Notice, 'subject'> | undefined,
    rest: readonly unknown[],
  ): Promise<boolean> {
    const now = new Date(this.clock.now());
    const values = [webhookId, fence, notice?.kind ?? null, notice?.message ?? null, now, ...rest];
    const { rows } = await this.pool.query(statement, values);
    if (rows.length > 0 && notice) {
      this.log.warn({ part: 'webhooks', kind: notice.kind, webhook_id: webhookId }, notice.message);
    }
    return rows.length > 0;
  }
}
