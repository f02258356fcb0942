import type { Pool } from 'pg';
import type { Clock } from '#base/clock';
import { RevalidatingCache } from '#base/revalidating-cache';

/** Why nothing was changed: a code for programs, and a sentence for people. */
export type Refusal<Code extends string> = Readonly<{ error: Code; message: string }>;

/** Makes the refusals of a store from their sentences. */
export function refusing<Code extends string>(sentences: Readonly<Record<Code, string>>) {
  return (error: Code): Refusal<Code> => ({ error, message: sentences[error] });
}

/** What differs between kinds of credentials: where they are stored, and the answer for an unknown one. */
export type CredentialKind<Code extends string> = Readonly<{
  table: 'clients' | 'discovery_keys' | 'api_tokens' | 'stream_tokens';
  /** The column that names one to people. */
  id: 'client_id' | 'id';
  unknown: Refusal<Code>;
}>;

/**
 * What others show to be let in, and what it lets them do. `find` answers from memory. Other processes see a change within 5 s, this
 * process sees its own at once.
 */
export abstract class CredentialStore<Live, Code extends string> {
  readonly #live: RevalidatingCache<ReadonlyMap<string, Live>>;

  protected constructor(
    protected readonly pool: Pool,
    protected readonly clock: Clock,
    private readonly terms: CredentialKind<Code>,
  ) {
    this.#live = new RevalidatingCache(() => this.readLive(), clock);
  }

  /** All that are not revoked, by what requests name them with. */
  protected abstract readLive(): Promise<ReadonlyMap<string, Live>>;

  /** Call this after the database was restored. */
  forget(): void {
    this.#live.forget();
  }

  /** False if they were read just now. */
  async refresh(): Promise<boolean> {
    return await this.#live.refresh();
  }

  /** Undefined if unknown or revoked. Reads once more, because another process may have created it a moment ago. */
  async find(name: string): Promise<Live | undefined> {
    return (await this.findCached(name)) ?? ((await this.refresh()) ? await this.findCached(name) : undefined);
  }

  /** Like `find`, but never reads again, so the time does not tell whether there is such a credential. */
  async findCached(name: string): Promise<Live | undefined> {
    return (await this.live()).get(name);
  }

  protected async live(): Promise<ReadonlyMap<string, Live>> {
    return await this.#live.get();
  }

  /** Idempotent. */
  async revoke(id: string): Promise<Refusal<Code> | undefined> {
    const { table, id: column, unknown } = this.terms;
    const text = `update ${table} set revoked_at = coalesce(revoked_at, $2) where ${column} = $1`;
    return await this.changed(await this.pool.query(text, [id, this.clock.iso()]), () => unknown);
  }

  /** The rows of a statement, with their times as ISO 8601. */
  protected async shown<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query<Record<string, unknown>>(text, values);
    const iso = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, iso(value)])) as Row);
  }

  /** After a statement that changed one, or found none to change. */
  protected async changed<T>(
    { rowCount }: Readonly<{ rowCount: number | null }>,
    whyNot: () => T | Promise<T>,
  ): Promise<T | undefined> {
    if (rowCount === 0) return await whyNot();
    await this.refreshAfterChange();
    return undefined;
  }

  protected async refreshAfterChange(): Promise<void> {
    await this.#live.refreshAfterChange();
  }
}
