import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { KeyedLimiter } from '#database/keyed-limiter';
import { inTransaction } from '#database/transaction';
import { Clock } from '#base/clock';
import { type AuditedAction, AuditLog } from '../audit-log.js';

const QUARTER_MS = 15 * 60_000;

/** So many networks have entries of their own in a quarter of an hour, for each person and reason. */
const MOST_NETWORKS = 20;

/** So many tries of one network are entries of their own. Of a lock only the first one is: it says that there is a lock. */
const MOST_ENTRIES = { 'too many': 1, wrong: 10, unknown: 10, cancelled: 10, failed: 10 } as const;

export type RefusedSignIn = Readonly<{
  /** Undefined if nobody knows whose sign-in it was to be. */
  operatorId?: string | undefined;
  /** `wrong` and `too many` are of passwords, the others of the OpenID provider. */
  reason: keyof typeof MOST_ENTRIES;
  address: string;
  /** The part of the address that one client has. */
  network: string;
  transactionId: string;
  detail?: Readonly<Record<string, unknown>>;
}>;

/**
 * Puts refused sign-ins into the audit log: the first ones each, those that follow as a number for each quarter of an hour. Strangers cause them, so
 * one entry each would let them fill the log, and hold the lock that the entries of staff wait for.
 */
@Injectable()
export class RefusedSignIns {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  async record({ operatorId = 'unknown', reason, address, network, ...rest }: RefusedSignIn): Promise<void> {
    const subject = `operator:${operatorId}`;
    const since = new Date(Math.floor(this.clock.now() / QUARTER_MS) * QUARTER_MS);
    const values = [since, subject, reason, network, MOST_ENTRIES[reason], MOST_NETWORKS];
    const { transactionId, detail = {} } = rest;
    const entry = { actor: 'system', action: 'session.refused', subject, transactionId, address };
    await KeyedLimiter.of(this.pool).run(`refused sign-ins of ${subject}`, () =>
      inTransaction(this.pool, async (client) => {
        const { rows } = await client.query<{ is_entry: boolean }>(COUNT, values);
        if (rows[0]?.is_entry) await this.audit.record({ ...entry, detail: { reason, ...detail } }, client);
      }),
    );
  }

  /** Writes an entry for each person and reason whose tries in a quarter that is over are not all entries. Concurrent calls write one. */
  async sumUp(): Promise<void> {
    const until = new Date(this.clock.now() - QUARTER_MS);
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<SumRow>(SUM, [until]);
      await this.audit.recordAll(rows.map(sumEntry), client);
    });
  }
}

type SumRow = { since: Date; subject: string; reason: string; tries: string; entries: string; networks: string };

function sumEntry({ since, subject, reason, tries, entries, networks }: SumRow): AuditedAction {
  const until = new Date(since.getTime() + QUARTER_MS).toISOString();
  const counts = { tries: Number(tries), of_them_listed: Number(entries), networks: Number(networks) };
  const detail = { reason, ...counts, since: since.toISOString(), until };
  return { actor: 'system', action: 'session.refused', subject, detail };
}

// The first tries are entries, as long as there are few; after one that is not, none is.
const COUNT = `
  insert into refused_sign_ins as kept (since, subject, reason, network, tries, entries)
  values ($1, $2, $3, $4, 1, (
    select (count(*) < $6)::int from refused_sign_ins where since = $1 and subject = $2 and reason = $3
  ))
  on conflict (since, subject, reason, network) do update
    set tries = kept.tries + 1, entries = kept.entries + (kept.entries = kept.tries and kept.tries < $5)::int
  returning entries = tries as is_entry`;

const SUM = `
  with ended as (delete from refused_sign_ins where since <= $1 returning *)
  select since, subject, reason, sum(tries) as tries, sum(entries) as entries, count(*) as networks
  from ended
  group by since, subject, reason having sum(tries) > sum(entries)
  order by since, subject, reason`;
