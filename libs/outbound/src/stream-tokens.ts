import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { isCredentialName, newToken, tokenDigest } from '#base/token';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { Randomness } from '#base/randomness';
import { RevalidatingCache } from '#base/revalidating-cache';

/** The token is shown only here. */
export type IssuedToken = Readonly<{
  id: string;
  name: string;
  token: string;
  createdAt: Date;
  expiresAt: Date | null;
}>;

export type ListedToken = Readonly<{
  id: string;
  name: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Accurate to about a minute. Null if never used. */
  lastUsedAt: Date | null;
}>;

type LiveToken = Readonly<{ id: string; expiresAt: Date | null }>;

const USE_NOTED_EVERY_MS = 60_000;

/** Only digests are stored. `find` answers from memory. Other processes see a change within 5 s, this process sees its own at once. */
@Injectable()
export class StreamTokens {
  readonly #live: RevalidatingCache<ReadonlyMap<string, LiveToken>>;
  readonly #noted = new Map<string, number>();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly randomness: Randomness,
  ) {
    this.#live = new RevalidatingCache(() => this.#readLive(), clock);
  }

  /** Call this after the database was restored. */
  forget(): void {
    this.#live.forget();
  }

  /** `authorization` is the header `Authorization: Bearer`. Returns the token's id. */
  async find(authorization: string | undefined): Promise<string | undefined> {
    const token = /^bearer +(wst_[0-9a-f]{64})$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const digest = tokenDigest(token).toString('hex');
    // Another process may have created the token a moment ago.
    const known = async () => (await this.#live.get()).get(digest);
    const found = (await known()) ?? ((await this.#live.refresh()) ? await known() : undefined);
    if (!found || this.#hasEnded(found)) return undefined;
    this.#noteUse(found.id);
    return found.id;
  }

  /** For open connections: reads the tokens again, because the copy may miss a revocation of the last seconds. */
  async isLive(id: string): Promise<boolean> {
    await this.#live.refresh();
    const live = [...(await this.#live.get()).values()];
    const isLive = live.some((token) => token.id === id && !this.#hasEnded(token));
    if (isLive) this.#noteUse(id);
    return isLive;
  }

  /** Returns undefined if the name is not 1 to 200 printable characters. */
  async add(name: string, expiresAt: Date | null): Promise<IssuedToken | undefined> {
    if (!isCredentialName(name)) return undefined;
    const token = newToken(this.randomness, 'wst_');
    const issued = { id: this.ids.next('stk'), name, token, createdAt: new Date(this.clock.now()), expiresAt };
    await this.pool.query(ADD, [issued.id, name, tokenDigest(token), issued.createdAt, expiresAt]);
    await this.#live.refreshAfterChange();
    return issued;
  }

  async list(): Promise<readonly ListedToken[]> {
    const { rows } = await this.pool.query<ListedToken>(
      `select id, name, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"
       from stream_tokens order by created_at, id`,
    );
    return rows;
  }

  async revoke(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'update stream_tokens set revoked_at = coalesce(revoked_at, $2) where id = $1',
      [id, this.clock.iso()],
    );
    await this.#live.refreshAfterChange();
    return rowCount === 1;
  }

  async #readLive(): Promise<ReadonlyMap<string, LiveToken>> {
    const { rows } = await this.pool.query<LiveToken & { digest: string }>(
      `select id, encode(digest, 'hex') as digest, expires_at as "expiresAt" from stream_tokens where revoked_at is null`,
    );
    return new Map(rows.map(({ digest, ...token }) => [digest, token]));
  }

  #hasEnded({ expiresAt }: LiveToken): boolean {
    return expiresAt !== null && expiresAt.getTime() <= this.clock.now();
  }

  /** Does not delay the request. All processes together write at most once a minute. */
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
      .catch(() => this.#noted.delete(id));
  }
}

const ADD = 'insert into stream_tokens (id, name, digest, created_at, expires_at) values ($1, $2, $3, $4, $5)';
