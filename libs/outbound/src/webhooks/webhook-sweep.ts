import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { leaseHeldAt } from '#delivery-kit/lease';
import type { Clock } from '#base/clock';
import { breakIsOver, restIsOver } from './webhook-ledger-statements.js';
import { WebhookScheduler } from '../webhook-scheduler.js';
import { NEWEST_ENTRY } from '../webhook-entries.js';

// Takes PostgreSQL about 50 ms. Nobody waits for the removal of old deliveries.
const REMOVED_AT_ONCE = 5_000;

/** Schedules endpoints with work but no worker: after lost jobs, for retries, and after Redis lost its data. Run it about every second. */
@Injectable()
export class WebhookSweep {
  constructor(
    private readonly pool: Pool,
    private readonly scheduler: WebhookScheduler,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async sweep(): Promise<void> {
    const values = [new Date(this.clock.now())];
    const { rows } = await this.pool.query<{ id: string; at: Date }>({ name: 'webhooks-idle', text: IDLE, values });
    await this.pool.query({ name: 'webhook-deliveries-remove', text: REMOVE, values: [REMOVED_AT_ONCE] });
    await this.scheduler.scheduleNow(rows.map(({ id, at }) => ({ webhookId: id, at: at.getTime() })));
  }
}

// `at` becomes part of the job's id, so a job that is already waiting is not added again.
const IDLE = `
  select id, coalesce(due.at, open_until, updated_at) as at from webhooks
  cross join lateral (
    select min(next_try_at) as at from webhook_deliveries
    where webhook_id = webhooks.id and webhook_deliveries.state = 'pending') as due
  where webhooks.state <> 'disabled'
    and not exists (select from webhook_leases where webhook_id = webhooks.id and ${leaseHeldAt('$1')})
    and (position < ${NEWEST_ENTRY}
      or webhooks.state = 'active' and coalesce(${restIsOver('$1')}, true) and case breaker
        when 'closed' then due.at <= $1 or recovering
        when 'open' then ${breakIsOver('$1')} and due.at is not null
        else due.at is not null end)`;

const REMOVE = `
  with gone as (
    delete from webhook_deliveries where (webhook_id, position) in (
      select webhook_id, position from (
        -- Goes from one webhook to the next by the index, however many deliveries each has.
        with recursive webhook_of as (
          (select webhook_id from webhook_deliveries order by webhook_id limit 1)
          union all
          select (select webhook_id from webhook_deliveries where webhook_id > last.webhook_id order by webhook_id limit 1)
          from webhook_of last where last.webhook_id is not null)
        select webhook_id from webhook_of
        where webhook_id is not null and not exists (select from webhooks where id = webhook_id)) as removed
      cross join lateral (
        select position from webhook_deliveries where webhook_id = removed.webhook_id limit $1) as of_it
      limit $1)
    returning webhook_id, position)
  delete from webhook_attempts using gone
  where webhook_attempts.webhook_id = gone.webhook_id and webhook_attempts.position = gone.position
    and webhook_attempts.webhook_id = any(array(select webhook_id from gone))`;
