import type { Pool } from 'pg';
import type { Clock } from '#base/clock';
import type { Ids } from '#base/ids';
import type { Randomness } from '#base/randomness';
import { poolOnlyReads } from '#database/session';
import { isCredentialName, newToken, tokenDigest } from '#base/token';
import { CredentialStore, type Refusal, refusing } from './credential-store.js';

/** What differs between kinds of tokens. */
export type TokenKind = Readonly<{
  table: 'api_tokens' | 'stream_tokens';
  /** A token begins with it. */
  prefix: 'wat_' | 'wst_';
  /** Its id begins with it. */
  id: 'tok' | 'stk';
  /** The columns that say what a token grants. */
  grants: readonly string[];
  /** How lists are sorted. */
  order: 'created_at desc, id' | 'created_at, id';
  /** Whether requests are answered from memory. Otherwise each looks its token up, so that a revocation holds at once. */
  cached: boolean;
}>;

export type NewToken<Grants> = Grants & Readonly<{ name: string; expiresAt: Date | null }>;

/** Times are ISO 8601. */
export type ListedToken<Grants> = Grants &
  Readonly<{
    id: string;
    name: string;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
    /** To about a minute; null when it was never used. */
    last_used_at: string | null;
  }>;

/** The token itself is shown only here. */
export type IssuedToken<Grants> = ListedToken<Grants> & Readonly<{ token: string }>;

export type LiveToken<Grants> = Grants & Readonly<{ id: string; expiresAt: Date | null }>;

const refused = refusing({
  TOKEN_NAME_INVALID: 'A name is 1 to 200 visible characters.',
  TOKEN_UNKNOWN: 'There is no token of this id.',
});
type Code = Parameters<typeof refused>[0];

const USE_NOTED_EVERY_MS = 60_000;

/** Tokens of programs. Only digests are stored. */
export class TokenStore<Grants extends Readonly<Record<string, unknown>>> extends CredentialStore<
  LiveToken<Grants>,
  Code
> {
  readonly #noted = new Map<string, number>();

  constructor(
    pool: Pool,
    clock: Clock,
    private readonly ids: Ids,
    private readonly randomness: Randomness,
    private readonly kind: TokenKind,
  ) {
    super(pool, clock, { table: kind.table, id: 'id', unknown: refused('TOKEN_UNKNOWN') });
  }

  async add(given: NewToken<Grants>): Promise<IssuedToken<Grants> | Refusal<Code>> {
    const { name, expiresAt } = given;
    if (!isCredentialName(name)) return refused('TOKEN_NAME_INVALID');
    const token = newToken(this.randomness, this.kind.prefix);
    const columns = ['id', 'name', 'digest', 'created_at', 'expires_at', ...this.kind.grants];
    const [row] = await this.shown<ListedToken<Grants>>(
      `insert into ${this.kind.table} (${columns.join()}) values (${columns.map((_, index) => `$${index + 1}`).join()})
       returning ${this.#listed}`,
      [
        this.ids.next(this.kind.id),
        name,
        tokenDigest(token),
        this.clock.iso(),
        expiresAt,
        ...this.kind.grants.map((column) => given[column]),
      ],
    );
    if (!row) throw new Error('the token was not stored');
    await this.refreshAfterChange();
    return { ...row, token };
  }

  /** Includes expired and revoked ones. */
  async list(): Promise<ListedToken<Grants>[]> {
    const { table, order } = this.kind;
    return await this.shown(`select ${this.#listed} from ${table} order by ${order}`);
  }

  /** The live token; undefined for one that is unknown, expired or revoked. Counts as a use. */
  override async find(token: string): Promise<LiveToken<Grants> | undefined> {
    if (!token.startsWith(this.kind.prefix)) return undefined;
    const digest = tokenDigest(token);
    const found = this.kind.cached
      ? await super.find(digest.toString('hex'))
      : (await this.#read('digest', digest)).values().next().value;
    if (!found || this.#hasEnded(found)) return undefined;
    this.#noteUse(found);
    return found;
  }

  /** For open connections: reads again, because a copy may miss a revocation of the last seconds. */
  async isLive(id: string): Promise<boolean> {
    if (this.kind.cached) await this.refresh();
    const live = this.kind.cached ? await this.live() : await this.#read('id', id);
    const found = [...live.values()].find((token) => token.id === id && !this.#hasEnded(token));
    if (found && this.kind.cached) this.#noteUse(found);
    return found !== undefined;
  }

  protected override async readLive(): Promise<ReadonlyMap<string, LiveToken<Grants>>> {
    return await this.#read();
  }

  /** By their digests. */
  async #read(column?: 'digest' | 'id', value?: unknown): Promise<ReadonlyMap<string, LiveToken<Grants>>> {
    const { table, grants } = this.kind;
    const columns = [`encode(digest, 'hex') as digest`, 'id', 'expires_at as "expiresAt"', ...grants];
    const text = `select ${columns.join()} from ${table} where revoked_at is null${column ? ` and ${column} = $1` : ''}`;
    const { rows } = await this.pool.query<LiveToken<Grants> & { digest: string }>({
      name: `live-${table}-${column ?? 'all'}`,
      text,
      values: column ? [value] : [],
    });
    return new Map(rows.map((row) => [row.digest, row]));
  }

  get #listed(): string {
    return ['id', 'name', 'created_at', 'expires_at', 'revoked_at', 'last_used_at', ...this.kind.grants].join();
  }

  #hasEnded({ expiresAt }: LiveToken<Grants>): boolean {
    return expiresAt !== null && expiresAt.getTime() <= this.clock.now();
  }

  /** Does not delay the request. All processes together write at most once a minute. */
  #noteUse({ id }: LiveToken<Grants>): void {
    if (poolOnlyReads(this.pool)) return;
    const now = this.clock.now();
    if (now - (this.#noted.get(id) ?? -Infinity) < USE_NOTED_EVERY_MS) return;
    this.#noted.set(id, now);
    this.pool
      .query(
        `update ${this.kind.table} set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at <= $3)`,
        [id, new Date(now), new Date(now - USE_NOTED_EVERY_MS)],
      )
      .catch(() => this.#noted.delete(id));
  }
}
