import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Clock } from '#runtime/clock';
import { DatabaseClock } from '#database/database-clock';
import { KeyedLimiter } from '#database/keyed-limiter';
import { inTransaction } from '#database/transaction';

const MOST_FAILURES = 10;
const WITHIN_MS = 15 * 60_000;

/** A try that counts as a failure until it is taken back. */
export type SignInTry = Readonly<{ ids: readonly string[] }>;

/** Counts failures by subject, e.g. a person or an address. A try counts before its check, so at most ten simultaneous ones are checked. */
@Injectable()
export class SignInLimiter {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** Returns the try, or how many seconds to wait after too many failures. @throws TooManyWaiters */
  async begin(subjects: readonly string[]): Promise<SignInTry | { retryAfterS: number }> {
    // Whoever is locked out stays so without a lock of the database, which the next ones would wait for.
    const waiting = await this.longestWait(this.pool, subjects);
    if (waiting) return waiting;
    return await KeyedLimiter.of(this.pool).runAll(subjects, () =>
      inTransaction(this.pool, async (client) => {
        await client.query(LOCK, [subjects]);
        return (await this.longestWait(client, subjects)) ?? (await this.count(client, subjects));
      }),
    );
  }

  /** If the check itself fails, e.g. because too many passwords wait, the try was no failure. */
  async check<T>(counted: SignInTry, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.takeBack(counted);
      throw error;
    }
  }

  /** The try was no failure, e.g. because only the code was missing. */
  async takeBack({ ids }: SignInTry): Promise<void> {
    await this.pool.query('delete from sign_in_failures where id = any($1::bigint[])', [ids]);
  }

  /** @param reset subjects whose earlier failures no longer count either. */
  async succeed({ ids }: SignInTry, reset: readonly string[]): Promise<void> {
    await this.pool.query('delete from sign_in_failures where id = any($1::bigint[]) or subject = any($2)', [
      ids,
      reset,
    ]);
  }

  async prune(): Promise<void> {
    await this.pool.query('delete from sign_in_failures where at < $1', [new Date(this.clock.now() - WITHIN_MS)]);
  }

  private async count(client: ClientBase, subjects: readonly string[]): Promise<SignInTry> {
    const { rows } = await client.query<{ id: string }>(
      'insert into sign_in_failures (subject, at) select unnest($1::text[]), $2 returning id',
      [subjects, this.clock.iso()],
    );
    return { ids: rows.map(({ id }) => id) };
  }

  private async longestWait(
    client: Pool | ClientBase,
    subjects: readonly string[],
  ): Promise<{ retryAfterS: number } | undefined> {
    const now = this.clock.now();
    const { rows } = await client.query<{ at: Date }>(TENTH, [subjects, new Date(now - WITHIN_MS), MOST_FAILURES - 1]);
    const longest = Math.max(...rows.map(({ at }) => at.getTime() + WITHIN_MS - now));
    return longest > 0 ? { retryAfterS: Math.ceil(longest / 1_000) } : undefined;
  }
}

// In one order, so that no two tries wait for each other.
const LOCK = `
  select pg_advisory_xact_lock(key)
  from (select hashtextextended(subject, 0) as key from unnest($1::text[]) as given (subject) order by key) as ordered`;

const TENTH = `
  select at
  from unnest($1::text[]) as given (subject)
    cross join lateral (
      select at from sign_in_failures as failure
      where failure.subject = given.subject and at > $2
      order by at desc offset $3 limit 1
    ) as tenth`;
