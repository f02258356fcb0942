import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import { poolOnlyReads } from '#database/session';
import { inTransaction } from '#database/transaction';
import type { Clock } from '#base/clock';
import { AuditLog } from './audit-log.js';
import { type Caller, readsPersonalData } from './caller.js';

/** A killed process loses at most the counts of this period, but no first read of an hour. */
export const FLUSH_READS_EVERY_MS = 3_000;

const HOUR_MS = 3_600_000;
// By then every process has written the counts of the hour.
const LATE_MS = 60_000;

type Reads = Readonly<{ since: number; actor: string; reads: number }>;

/** The request of the first read in an hour. */
export type ReadRequest = Readonly<{ transactionId: string; address: string }>;

/**
 * Decides who reads buyers' data in clear, and lets programs leave a trace of it: the first read of an hour is an entry of the audit log
 * before its answer goes out. The sum of the hour is another one, so that a busy program neither fills the log nor holds its lock.
 */
@Injectable()
export class PersonalReads {
  readonly #counts = new Map<string, Reads>();
  readonly #begun = new Map<string, Promise<void>>();

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Whether the caller sees the data of one more order in clear. If so, it is counted. */
  inClear(caller: Caller): boolean {
    // A process that only reads could leave no trace of it.
    if (!readsPersonalData(caller) || poolOnlyReads(this.pool)) return false;
    this.#add({ since: this.#hour(), actor: caller.actor, reads: 1 });
    return true;
  }

  /** Call it before the answer goes out. Waits only after the first read of an hour. */
  async settle({ actor }: Caller, request: ReadRequest): Promise<void> {
    const key = keyOf({ since: this.#hour(), actor });
    if (!this.#counts.has(key) && !this.#begun.has(key)) return;
    const begun = this.#begun.get(key) ?? this.#begin(key, request);
    this.#begun.set(key, begun);
    await begun;
  }

  /** Leaves out an hour that has not begun: its first answer is about to go out, or else the next hour writes it. */
  async flush(): Promise<void> {
    const hour = this.#hour();
    const taken = [...this.#counts].filter(([key, { since }]) => since < hour || this.#begun.has(key));
    for (const key of this.#begun.keys()) if (!key.startsWith(`${hour} `)) this.#begun.delete(key);
    if (taken.length === 0) return;
    for (const [key] of taken) this.#counts.delete(key);
    const rows = taken.map(([, reads]) => reads);
    try {
      const columns = [
        rows.map(({ since }) => new Date(since)),
        rows.map(({ actor }) => actor),
        rows.map(({ reads }) => reads),
      ];
      await this.pool.query({ name: 'add-personal-reads', text: ADD, values: columns });
    } catch (error) {
      for (const reads of rows) this.#add(reads);
      throw error;
    }
  }

  /** Writes an entry for each program and hour that is over, unless the first read was the only one. Concurrent calls write one. */
  async sumUp(): Promise<void> {
    const until = new Date(this.clock.now() - HOUR_MS - LATE_MS);
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ since: Date; actor: string; reads: string }>(SUM, [until]);
      const entries = rows.map(({ since, actor, reads }) => {
        const end = new Date(since.getTime() + HOUR_MS);
        return entryOf(actor, { reads: Number(reads), since: since.toISOString(), until: end.toISOString() });
      });
      await this.audit.recordAll(entries, client);
    });
  }

  async #begin(key: string, request: ReadRequest): Promise<void> {
    const counted = this.#counts.get(key);
    if (!counted) return;
    this.#counts.delete(key);
    const { actor, reads } = counted;
    const since = new Date(counted.since);
    try {
      await inTransaction(this.pool, async (client) => {
        const { rows } = await client.query<{ is_first: boolean }>(BEGIN, [since, actor, reads]);
        const detail = { reads, since: since.toISOString() };
        if (rows[0]?.is_first) await this.audit.record({ ...entryOf(actor, detail), ...request }, client);
      });
    } catch (error) {
      this.#begun.delete(key);
      this.#add(counted);
      throw error;
    }
  }

  #add(more: Reads): void {
    const key = keyOf(more);
    const { reads = 0 } = this.#counts.get(key) ?? {};
    this.#counts.set(key, { ...more, reads: reads + more.reads });
  }

  #hour(): number {
    return Math.floor(this.clock.now() / HOUR_MS) * HOUR_MS;
  }
}

const keyOf = ({ since, actor }: Pick<Reads, 'since' | 'actor'>) => `${since} ${actor}`;

const entryOf = (actor: string, detail: Readonly<Record<string, unknown>>) => {
  return { actor, action: 'personal_data.read', subject: actor, detail };
};

// Of two processes one inserts the row: the first read is its.
const BEGIN = `
  insert into personal_data_reads as kept (since, actor, reads, listed) values ($1, $2, $3, $3)
  on conflict (since, actor) do update set reads = kept.reads + excluded.reads
  returning reads = listed as is_first`;

// In the order of the key, so processes that update the same rows cannot deadlock.
const ADD = `
  insert into personal_data_reads as kept (since, actor, reads, listed)
  select since, actor, reads, 0 from unnest($1::timestamptz[], $2::text[], $3::bigint[]) as given (since, actor, reads) order by 1, 2
  on conflict (since, actor) do update set reads = kept.reads + excluded.reads`;

const SUM = `
  with ended as (delete from personal_data_reads where since < $1 returning *)
  select since, actor, reads from ended where reads > listed order by since, actor`;
