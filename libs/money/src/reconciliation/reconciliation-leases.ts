import { Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';

/** A comparison that this process works on. Times are ISO 8601. */
export type Claimed = Readonly<{
  id: string;
  attempt: number;
  from: Date | null;
  to: Date | null;
  as_of: Date | null;
  requested_by: string;
  /** How far their list is read, and whether all of it is. */
  read_to: Date | null;
  is_read: boolean;
  /** The last reference, or order, of those that are compared. */
  compared_to: string;
}> &
  (Readonly<{ provider: string; client_id: null }> | Readonly<{ provider: null; client_id: string }>);

/** Another process has it now, or this one stops. */
export class ReconciliationEnded extends Error {}

/** A process that is silent for so long has died, and another one goes on. */
const LEASE_MS = 60_000;

/** A provider that cannot be reached for so many attempts, longer from one to the next, ends the comparison. */
const MOST_ATTEMPTS = 20;
const WAIT_MS = 3_000;

/** Gives each comparison to one process at a time. */
@Injectable()
export class ReconciliationLeases {
  constructor(private readonly pool: Pool) {}

  /** The oldest one that nobody works on. @param id that one only */
  async claim(id: string | null = null): Promise<Claimed | undefined> {
    const { rows } = await this.pool.query<Claimed>(CLAIM, [id]);
    return rows[0];
  }

  /** Prolongs the lease. @throws ReconciliationEnded */
  async prolong({ id, attempt }: Claimed, stop: AbortSignal): Promise<void> {
    const { rowCount } = await this.pool.query(PROLONG, [id, attempt]);
    if (rowCount !== 1 || stop.aborted) throw new ReconciliationEnded();
  }

  /** In the transaction that writes what it is about. @throws ReconciliationEnded; then nothing of it may be written */
  async advance(client: ClientBase, { id, attempt }: Claimed, step: Step): Promise<void> {
    const { readTo = null, isRead = null, asOf = null, comparedTo = null, matched = 0 } = step;
    const values = [id, attempt, readTo, isRead, asOf, comparedTo, matched];
    if ((await client.query(ADVANCE, values)).rowCount !== 1) throw new ReconciliationEnded();
  }

  async finish(client: ClientBase, { id, attempt }: Claimed): Promise<void> {
    if ((await client.query(FINISH, [id, attempt])).rowCount !== 1) throw new ReconciliationEnded();
  }

  /** Another process may take it at once. */
  async release({ id, attempt }: Claimed): Promise<void> {
    await this.pool.query('update reconciliations set leased_until = null where id = $1 and attempt = $2', [
      id,
      attempt,
    ]);
  }

  /** It is tried again later, or has failed for good. */
  async fail({ id, attempt }: Claimed, error: string): Promise<void> {
    await this.pool.query(FAIL, [id, attempt, error, attempt >= MOST_ATTEMPTS, attempt * WAIT_MS]);
  }
}

/** `matched`: how many more agree. Times are ISO 8601. */
type Step = Readonly<{
  readTo?: string;
  isRead?: boolean;
  asOf?: string;
  comparedTo?: string;
  matched?: number;
}>;

const LEASED = `leased_until = clock_timestamp() + interval '${LEASE_MS} ms'`;

// The number of the attempt keeps out a process that was only thought dead. An upload waits until it is whole.
const CLAIM = `
  update reconciliations r set attempt = attempt + 1, ${LEASED}
  from (
    select id from reconciliations
    where state = 'running' and ($1::text is null or id = $1) and (provider is not null or is_read)
      and (leased_until is null or leased_until < clock_timestamp())
    order by id limit 1 for update skip locked) as open
  where r.id = open.id
  returning r.id, r.attempt, r.provider, r.client_id, r.from_at as "from", r.to_at as "to", r.as_of, r.requested_by, r.read_to, r.is_read,
    r.compared_to`;

const MINE = `where id = $1 and attempt = $2 and state = 'running'`;

const PROLONG = `update reconciliations set ${LEASED} ${MINE}`;

const ADVANCE = `
  update reconciliations set ${LEASED}, read_to = coalesce($3, read_to), is_read = coalesce($4, is_read), as_of = coalesce($5, as_of),
    compared_to = coalesce($6, compared_to), matched = matched + $7 ${MINE}`;

const FINISH = `
  update reconciliations set state = 'done', error = null,
    differing = (select count(*) from reconciliation_differences where reconciliation_id = $1) ${MINE}`;

const FAIL = `
  update reconciliations set error = $3, state = case when $4 then 'failed' else state end,
    leased_until = clock_timestamp() + $5 * interval '1 ms' ${MINE}`;
