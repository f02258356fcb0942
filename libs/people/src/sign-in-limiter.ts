import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Clock } from '#runtime/clock';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';

const MOST_FAILURES = 10;
const WITHIN_MS = 15 * 60_000;

/** A try that counts as a failure until it is taken back. */
export type SignInTry = Readonly<{ person: string; ids: readonly string[] }>;

/** Counts failed sign-ins by person and by address. A try counts before its check, so at most ten simultaneous ones are checked. */
@Injectable()
export class SignInLimiter {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Returns the try, or how many seconds to wait after too many failures. */
  async begin(person: string, address: string): Promise<SignInTry | { retryAfterS: number }> {
    const now = this.clock.now();
    const subjects = [`person ${person}`, `address ${address}`];
    return await inTransaction(this.pool, async (client) => {
      const waits = [];
      for (const subject of subjects) waits.push(await this.waitMs(client, subject, now));
      const longest = Math.max(...waits);
      if (longest > 0) return { retryAfterS: Math.ceil(longest / 1_000) };
      const { rows } = await client.query<{ id: string }>(
        'insert into sign_in_failures (subject, at) select unnest($1::text[]), $2 returning id',
        [subjects, new Date(now)],
      );
      return { person: subjects[0] ?? '', ids: rows.map(({ id }) => id) };
    });
  }

  /** The try was no failure, e.g. because only the code was missing. */
  async takeBack({ ids }: SignInTry): Promise<void> {
    await this.pool.query('delete from sign_in_failures where id = any($1::bigint[])', [ids]);
  }

  /** A success resets the failures of the person. Those of the address stay. */
  async succeed({ ids, person }: SignInTry): Promise<void> {
    await this.pool.query('delete from sign_in_failures where id = any($1::bigint[]) or subject = $2', [ids, person]);
  }

  async prune(): Promise<void> {
    await this.pool.query('delete from sign_in_failures where at < $1', [new Date(this.clock.now() - WITHIN_MS)]);
  }

  private async waitMs(client: ClientBase, subject: string, now: number): Promise<number> {
    await client.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [subject]);
    const { rows } = await client.query<{ at: Date }>(
      'select at from sign_in_failures where subject = $1 and at > $2 order by at desc limit $3',
      [subject, new Date(now - WITHIN_MS), MOST_FAILURES],
    );
    const tenth = rows[MOST_FAILURES - 1];
    return tenth ? tenth.at.getTime() + WITHIN_MS - now : 0;
  }
}
