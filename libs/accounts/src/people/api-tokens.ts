import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Permission } from '../permission.contract.js';
import { newToken, tokenDigest } from '#base/token';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { Randomness } from '#base/randomness';
import { DatabaseClock } from '#database/database-clock';

export type NewApiToken = Readonly<{
  name: string;
  scopes: readonly Permission[];
  /** Those whose orders and listings it sees; null for all. */
  sellers: readonly string[] | null;
  expiresAt: Date | null;
}>;

export type ListedApiToken = Readonly<{
  id: string;
  name: string;
  scopes: readonly Permission[];
  sellers: readonly string[] | null;
  createdAt: Date;
  createdBy: string;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** To about a minute; null when it was never used. */
  lastUsedAt: Date | null;
}>;

const TOKEN = /^wat_[0-9a-f]{64}$/;
const USE_NOTED_EVERY_MS = 60_000;

/** The tokens of programs that use the back office. Only digests are stored, and each request looks its token up: a revocation holds at once. */
@Injectable()
export class ApiTokens {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly randomness: Randomness,
  ) {}

  /** @returns the token itself too, which is shown only here. */
  async add(
    { name, scopes, sellers, expiresAt }: NewApiToken,
    actor: string,
  ): Promise<ListedApiToken & { token: string }> {
    const token = newToken(this.randomness, 'wat_');
    const id = this.ids.next('tok');
    const { rows } = await this.pool.query<ListedApiToken>(ADD, [
      id,
      name,
      tokenDigest(token),
      scopes,
      this.clock.iso(),
      actor,
      expiresAt,
      sellers,
    ]);
    const [row] = rows;
    if (!row) throw new Error('the token was not stored');
    return { ...row, token };
  }

  /** Includes expired and revoked ones. Newest first. */
  async list(): Promise<ListedApiToken[]> {
    const { rows } = await this.pool.query<ListedApiToken>(
      `select ${COLUMNS} from api_tokens order by created_at desc, id`,
    );
    return rows;
  }

  /** Idempotent. Returns whether there is such a token. */
  async revoke(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'update api_tokens set revoked_at = coalesce(revoked_at, $2) where id = $1',
      [id, this.clock.iso()],
    );
    return rowCount === 1;
  }

  /** Returns whether the token is neither revoked nor expired. Does not count as a use. */
  async isLive(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'select from api_tokens where id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)',
      [id, this.clock.iso()],
    );
    return rowCount === 1;
  }

  /** The actor who made the token. */
  async makerOf(id: string): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ maker: string }>(
      'select created_by as maker from api_tokens where id = $1',
      [id],
    );
    return rows[0]?.maker;
  }

  /** The live token; undefined for one that is unknown, expired or revoked. Counts as a use. */
  async find(token: string): Promise<Pick<ListedApiToken, 'id' | 'scopes' | 'sellers'> | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const now = this.clock.now();
    const { rows } = await this.pool.query<LiveTokenRow>({
      name: 'find-api-token',
      text: FIND,
      values: [tokenDigest(token), new Date(now)],
    });
    const [row] = rows;
    if (row && now - (row.last_used_at?.getTime() ?? 0) >= USE_NOTED_EVERY_MS) {
      await this.pool.query('update api_tokens set last_used_at = $2 where id = $1', [row.id, new Date(now)]);
    }
    return row;
  }
}

type LiveTokenRow = { id: string; scopes: Permission[]; sellers: string[] | null; last_used_at: Date | null };

const COLUMNS = `id, name, scopes, sellers, created_at as "createdAt", created_by as "createdBy", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt"`;

const ADD = `
  insert into api_tokens (id, name, digest, scopes, created_at, created_by, expires_at, sellers)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`;

const FIND = `
  select id, scopes, sellers, last_used_at from api_tokens
  where digest = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`;
