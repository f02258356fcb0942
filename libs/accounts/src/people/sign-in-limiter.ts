import { Inject, Injectable } from '@nestjs/common';
import { type ClientBase, Pool } from 'pg';
import { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';
import { Clock } from '#base/clock';
import { DatabaseClock } from '#database/database-clock';
import { KeyedLimiter } from '#database/keyed-limiter';
import { inTransaction } from '#database/transaction';
import { KnownBrowsers } from './known-browsers.js';

const MOST_FAILURES = 10;
const MINUTE_MS = 60_000;

/** A try that counts as a failure until it is taken back. */
export type SignInTry = Readonly<{ ids: readonly string[]; resets: readonly string[] }>;

type Locked = Readonly<{ retryAfterS: number }>;

/** Who tries, from where. */
export type Guess = Readonly<{
  /** The operator's id, or an e-mail address that is nobody's: the database takes several spellings of an address for the same person. */
  person: Readonly<{ id: string }> | Readonly<{ email: string }>;
  /** The part of the address that one client has. */
  address: string;
  /** What the browser keeps of earlier sign-ins. */
  browserNote: string | undefined;
}>;

/** Counts failures by subject, e.g. a person or an address. A try counts before its check, so at most ten simultaneous ones are checked. */
@Injectable()
export class SignInLimiter {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly sealer: Sealer,
    private readonly browsers: KnownBrowsers,
    private readonly settings: Settings,
  ) {}

  /**
   * A guess at a password. It counts for the person and for the address; a browser that the person has signed in with is held by its own count only.
   * A success resets the person's. Returns as `begin`.
   */
  async beginSignIn({ person, address, browserNote }: Guess): Promise<SignInTry | Locked> {
    const whom = `person ${'id' in person ? person.id : this.sealer.emailDigest(person.email).toString('hex')}`;
    const anyone = [whom, `address ${address}`];
    const known = 'id' in person ? this.browsers.idOf(browserNote, person.id) : undefined;
    if (known === undefined) return await this.begin(anyone, { resets: [whom] });
    const own = `browser ${known}`;
    return await this.begin([own, ...anyone], { holds: [own], resets: [own, whom] });
  }

  /**
   * Returns the try, or how many seconds to wait after too many failures.
   * @param subjects whom a failure counts for
   * @param options.holds those whose earlier failures hold this try back: all, unless given
   * @param options.resets those whose failures a success takes away
   * @throws TooManyWaiters
   */
  async begin(
    subjects: readonly string[],
    { holds = subjects, resets = [] }: Readonly<{ holds?: readonly string[]; resets?: readonly string[] }> = {},
  ): Promise<SignInTry | Locked> {
    // Whoever is locked out stays so without a lock of the database, which the next ones would wait for.
    const waiting = await this.longestWait(this.pool, holds);
    if (waiting) return waiting;
    return await KeyedLimiter.of(this.pool).runAll(subjects, () =>
      inTransaction(this.pool, async (client) => {
        await client.query(LOCK, [subjects]);
        return (await this.longestWait(client, holds)) ?? { ids: await this.count(client, subjects), resets };
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

  /** Earlier failures of those whom the try resets no longer count either. */
  async succeed({ ids, resets }: SignInTry): Promise<void> {
    await this.pool.query('delete from sign_in_failures where id = any($1::bigint[]) or subject = any($2)', [
      ids,
      resets,
    ]);
  }

  async prune(): Promise<void> {
    await this.pool.query('delete from sign_in_failures where at < $1', [new Date(this.clock.now() - this.withinMs)]);
  }

  private get withinMs(): number {
    return this.settings.SIGN_IN_LOCK_MINUTES * MINUTE_MS;
  }

  private async count(client: ClientBase, subjects: readonly string[]): Promise<string[]> {
    const { rows } = await client.query<{ id: string }>(
      'insert into sign_in_failures (subject, at) select unnest($1::text[]), $2 returning id',
      [subjects, this.clock.iso()],
    );
    return rows.map(({ id }) => id);
  }

  private async longestWait(client: Pool | ClientBase, subjects: readonly string[]): Promise<Locked | undefined> {
    const [now, withinMs] = [this.clock.now(), this.withinMs];
    const { rows } = await client.query<{ at: Date }>(TENTH, [subjects, new Date(now - withinMs), MOST_FAILURES - 1]);
    const longest = Math.max(...rows.map(({ at }) => at.getTime() + withinMs - now));
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
