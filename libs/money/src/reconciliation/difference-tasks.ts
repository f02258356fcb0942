import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { stringifyJson } from '#base/json';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { type Claimed, ReconciliationLeases } from './reconciliation-leases.js';

const AT_ONCE = 1_000;

/** A task for each difference, which ends by itself once a later comparison does not find it any more. */
@Injectable()
export class DifferenceTasks {
  constructor(
    private readonly pool: Pool,
    private readonly ids: Ids,
    private readonly leases: ReconciliationLeases,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Ends the comparison. @throws ReconciliationEnded */
  async settle(claimed: Claimed, prolong: () => Promise<void>): Promise<void> {
    for (let after = ''; ;) {
      await prolong();
      const { rows } = await this.pool.query<{ subject: string }>(NEXT, [claimed.id, after, AT_ONCE]);
      const last = rows.at(-1);
      if (!last) break;
      const tasks = rows.map(({ subject }) => ({ id: this.ids.next('tsk'), subject }));
      await this.pool.query(OPEN, [claimed.id, stringifyJson(tasks), this.clock.iso()]);
      after = last.subject;
    }
    await inTransaction(this.pool, async (client) => {
      const close = claimed.provider === null ? CLOSE_OF_CLIENT : CLOSE_OF_PROVIDER;
      await client.query(close, [claimed.id, claimed.from, claimed.to, this.clock.iso(), prefixOf(claimed)]);
      await this.leases.finish(client, claimed);
    });
  }
}

/** How the subjects of the other side's differences begin. */
export function prefixOf({ provider, client_id }: Pick<Claimed, 'provider' | 'client_id'>): string {
  return provider === null ? `difference/client/${client_id}/` : `difference/provider/${provider}/`;
}

const NEXT = `
  select subject from reconciliation_differences where reconciliation_id = $1 and subject > $2 order by subject limit $3`;

// What a person has ended stays ended. What has ended by itself, and is there again, opens again.
const OPEN = `
  insert into money_tasks as t (id, subject, kind, order_id, reference, ours, theirs, opened_at)
  select given.id, d.subject, 'difference', d.order_id, d.reference, coalesce(to_jsonb(d.proposal), d.ours), d.theirs, $3
  from json_to_recordset($2) as given (id text, subject text)
  join reconciliation_differences d on d.reconciliation_id = $1 and d.subject = given.subject
  on conflict (subject) do update set order_id = excluded.order_id, reference = excluded.reference, ours = excluded.ours,
    theirs = excluded.theirs, done_at = null,
    opened_at = case when t.done_at is null then t.opened_at else excluded.opened_at end
  where t.done_by is null`;

const OPEN_HERE = `
  t.kind = 'difference' and t.done_at is null and starts_with(t.subject, $5)
    and not exists (select from reconciliation_differences d where d.reconciliation_id = $1 and d.subject = t.subject)`;

// An earlier comparison found it in the same period.
const CLOSE_OF_PROVIDER = `
  update money_tasks t set done_at = $4 where ${OPEN_HERE} and exists (
    select from reconciliation_differences d where d.subject = t.subject and d.at >= $2 and d.at < $3)`;

// The file is about it, or the orders of the period are.
const CLOSE_OF_CLIENT = `
  update money_tasks t set done_at = $4 where ${OPEN_HERE} and (
    exists (
      select from remittance_lines l
      where l.reconciliation_id = $1 and (l.order_id = t.order_id or l.given = t.reference and l.order_id is not null))
    or exists (
      select from reconciliation_differences d
      where d.subject = t.subject and d.kind = 'missing_there' and d.at >= $2 and d.at < $3))`;
