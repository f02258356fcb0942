import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { newToken, tokenDigest } from '#crypto/token';
import { Clock } from '#runtime/clock';
import { Ids } from '#runtime/ids';
import { Randomness } from '#runtime/randomness';
import { RevalidatingCache } from '#runtime/revalidating-cache';

/** The one time that a token is shown. */
export type IssuedToken = Readonly<{ id: string; name: string; token: string; createdAt: Date }>;

export type ListedToken = Readonly<{
  id: string;
  name: string;
  createdAt: Date;
  revokedAt: Date | null;
  /** To about a minute; null when it was never used. */
  lastUsedAt: Date | null;
}>;

const USE_NOTED_EVERY_MS = 60_000;
const NAME = /^[^\p{C}]{1,200}$/u;

/**
 * The tokens that integrations read the ping stream with. Only their digests are kept. `find` answers from memory; a change
 * shows up in every process within 5 s, and at once in the one that made it.
 */
@Injectable()
export class StreamTokens {
  /** Ids by digest. */
  readonly #live: RevalidatingCache<ReadonlyMap<string, string>>;
  readonly #noted = new Map<string, number>();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly randomness: Randomness,
  ) {
    this.#live = new RevalidatingCache(() => this.#readLive(), clock);
  }

  /** After the database was restored. */
  forget(): void {
    this.#live.forget();
  }

  /** The id of the live token in an `Authorization: Bearer` header. */
  async find(authorization: string | undefined): Promise<string | undefined> {
    const token = /^bearer +(wst_[0-9a-f]{64})$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const digest = tokenDigest(token).toString('hex');
    // One that was made a moment ago elsewhere is looked for once more.
    const known = async () => (await this.#live.get()).get(digest);
    const id = (await known()) ?? ((await this.#live.refresh()) ? await known() : undefined);
    if (id !== undefined) this.#noteUse(id);
    return id;
  }

  /** Whether a token that was found before may still read; counts as a use. */
  async isLive(id: string): Promise<boolean> {
    const isLive = [...(await this.#live.get()).values()].includes(id);
    if (isLive) this.#noteUse(id);
    return isLive;
  }

  /** Undefined where the name is none: 1 to 200 visible characters. */
  async add(name: string): Promise<IssuedToken | undefined> {
    if (!NAME.test(name)) return undefined;
    const token = newToken(this.randomness, 'wst_');
    const issued = { id: this.ids.next('stk'), name, token, createdAt: new Date(this.clock.now()) };
    await this.pool.query('insert into stream_tokens (id, name, digest, created_at) values ($1, $2, $3, $4)', [
      issued.id,
      name,
      tokenDigest(token),
      issued.createdAt,
    ]);
    await this.#live.refreshAfterChange();
    return issued;
  }

  /** All there ever were, oldest first. */
  async list(): Promise<readonly ListedToken[]> {
    const { rows } = await this.pool.query<ListedToken>(
      `select id, name, created_at as "createdAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"
       from stream_tokens order by created_at, id`,
    );
    return rows;
  }

  /** From now on it reads nothing; again changes nothing. Whether there is such a token. */
  async revoke(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'update stream_tokens set revoked_at = coalesce(revoked_at, $2) where id = $1',
      [id, this.clock.iso()],
    );
    await this.#live.refreshAfterChange();
    return rowCount === 1;
  }

  async #readLive(): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ id: string; digest: string }>(
      `select id, encode(digest, 'hex') as digest from stream_tokens where revoked_at is null`,
    );
    return new Map(rows.map(({ id, digest }) => [digest, id]));
  }

  /** Beside the request, which does not wait for it; several processes together write once a minute. */
  #noteUse(id: string): void {
    const now = this.clock.now();
    if (now - (this.#noted.get(id) ?? -Infinity) < USE_NOTED_EVERY_MS) return;
    this.#noted.set(id, now);
    const earlier = new Date(now - USE_NOTED_EVERY_MS);
    this.pool
      .query(
        `update stream_tokens set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)`,
        [id, new Date(now), earlier],
      )
      // It is only told to people: the next use notes it.
      .catch(() => this.#noted.delete(id));
  }
}
