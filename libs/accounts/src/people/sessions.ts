import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';
import type { Role } from '../permission.contract.js';
import { newToken, tokenDigest } from '#base/token';
import { Clock } from '#base/clock';
import { Randomness } from '#base/randomness';
import { poolOnlyReads } from '#database/session';
import { DatabaseClock } from '#database/database-clock';
import type { OpenIdSession } from './openid-provider.js';

const MINUTE_MS = 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;

// A session's last use is written once a minute, so that reading does not write.
const SEEN_EVERY_MS = 60_000;

const TOKEN = /^wss_[0-9a-f]{64}$/;

export type Session = Readonly<{
  digest: Buffer;
  operator: Readonly<{ id: string; roles: readonly Role[]; sellers: readonly string[] | null; totp: boolean }>;
  csrfToken: string;
  /** Whether it was opened by the OpenID provider, which decides about second factors. */
  byOpenId: boolean;
  /** When the person last proved who they are: by signing in, or later. */
  provenAt: Date;
  /** When it ends at the latest. */
  expiresAt: Date;
  /** Of the sign-in before the one that opened it. */
  previousSignInAt: Date | null;
}>;

export type NewSession = Readonly<{
  operatorId: string;
  address: string;
  browser: string | null;
  openid: OpenIdSession | undefined;
}>;

/** One of the places where a person is signed in. */
export type ListedSession = Readonly<{
  digest: Buffer;
  createdAt: Date;
  /** To about a minute. */
  lastSeenAt: Date;
  address: string;
  /** In words; null if nobody knows. */
  browser: string | null;
  expiresAt: Date;
}>;

/** The sessions of operators. They end after `SESSION_IDLE_MINUTES` without a use, 12 hours after the sign-in, and when the OpenID provider says. */
@Injectable()
export class Sessions {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly settings: Settings,
  ) {}

  /** A new token for each sign-in, so that nobody can prepare a session for somebody else. Only its digest is stored. */
  async open({ operatorId, address, browser, openid }: NewSession): Promise<string> {
    const token = newToken(this.randomness, 'wss_');
    const { issuer, subject, sid, endsAt, issuedAt } = openid ?? {};
    await this.pool.query(OPEN, [
      tokenDigest(token),
      operatorId,
      this.clock.iso(),
      address,
      issuer,
      subject,
      sid,
      endsAt,
      issuedAt,
      browser,
    ]);
    return token;
  }

  /**
   * Undefined if it is unknown or has ended, or if the operator is not active.
   * @param use `seen` counts as a use; `unseen` does not, e.g. because a page asks again by itself
   */
  async find(token: string, use: 'seen' | 'unseen' = 'seen'): Promise<Session | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const now = this.clock.now();
    const digest = tokenDigest(token);
    const { rows } = await this.pool.query<SessionRow>({
      name: 'find-session',
      text: FIND,
      values: [digest, ...this.#limits(now)],
    });
    const [row] = rows;
    if (!row) return undefined;
    if (use === 'seen' && !poolOnlyReads(this.pool) && now - row.last_seen_at.getTime() >= SEEN_EVERY_MS) {
      await this.pool.query('update sessions set last_seen_at = $2 where digest = $1', [digest, new Date(now)]);
    }
    return {
      digest,
      operator: operatorOf(row),
      csrfToken: csrfTokenOf(token),
      byOpenId: row.by_openid,
      provenAt: row.proven_at,
      expiresAt: endOf(row),
      previousSignInAt: row.previous_sign_in_at,
    };
  }

  /** The operator of the session; undefined if it has ended. Does not count as a use. */
  async operatorOf(digest: Buffer): Promise<Session['operator'] | undefined> {
    const { rows } = await this.pool.query<SessionRow>(FIND, [digest, ...this.#limits(this.clock.now())]);
    return rows.map(operatorOf)[0];
  }

  /** Where the operator is signed in, the latest sign-in first. */
  async list(operatorId: string): Promise<ListedSession[]> {
    const values = [operatorId, ...this.#limits(this.clock.now())];
    const { rows } = await this.pool.query<ListedRow>(LIST, values);
    return rows.map(({ digest, address, browser, ...row }) => {
      return {
        digest,
        address,
        browser,
        createdAt: row.created_at,
        lastSeenAt: row.last_seen_at,
        expiresAt: endOf(row),
      };
    });
  }

  /** The person has just proved who they are. */
  async prove(digest: Buffer): Promise<void> {
    await this.pool.query('update sessions set proven_at = $2 where digest = $1', [digest, this.clock.iso()]);
  }

  async endOthers({ digest, operator: { id } }: Session): Promise<void> {
    await this.pool.query('delete from sessions where operator_id = $1 and digest <> $2', [id, digest]);
  }

  async end(digest: Buffer): Promise<void> {
    await this.pool.query('delete from sessions where digest = $1', [digest]);
  }

  async prune(): Promise<void> {
    const limits = this.#limits(this.clock.now());
    await this.pool.query('delete from sessions where last_seen_at <= $1 or created_at <= $2 or ends_at <= $3', limits);
  }

  /** A session whose last use, beginning or end at the provider is not after these has ended. */
  #limits(now: number): [Date, Date, Date] {
    return [new Date(now - this.settings.SESSION_IDLE_MINUTES * MINUTE_MS), new Date(now - ABSOLUTE_MS), new Date(now)];
  }
}

function endOf({ created_at: begin, ends_at: end }: Pick<SessionRow, 'created_at' | 'ends_at'>): Date {
  return new Date(Math.min(begin.getTime() + ABSOLUTE_MS, end?.getTime() ?? Infinity));
}

/** Derived from the session's token by a one-way hash: another site cannot compute it, and it does not reveal the token. */
function csrfTokenOf(token: string): string {
  return hash('sha256', `csrf ${token}`);
}

type ListedRow = Pick<ListedSession, 'digest' | 'address' | 'browser'> &
  Pick<SessionRow, 'created_at' | 'last_seen_at' | 'ends_at'>;

type SessionRow = {
  operator_id: string;
  roles: Role[];
  sellers: string[] | null;
  totp: boolean;
  by_openid: boolean;
  proven_at: Date;
  created_at: Date;
  last_seen_at: Date;
  previous_sign_in_at: Date | null;
  ends_at: Date | null;
};

function operatorOf({ operator_id: id, roles, sellers, totp }: SessionRow): Session['operator'] {
  return { id, roles, sellers, totp };
}

// The provider may tell of the end of its session before this one begins.
const OPEN = `
  with opened as (
    insert into sessions (digest, operator_id, created_at, last_seen_at, address, previous_sign_in_at, openid_issuer,
      openid_subject, openid_sid, ends_at, browser)
    select $1, id, $3, $3, $4, last_sign_in_at, $5, $6, $7, $8, $10 from operators
    where id = $2 and not exists (
      select from openid_logouts as ended
      where ended.issuer = $5 and (
        ended.sid = $7 or (ended.subject = $6 and (ended.sid is null or $7 is null) and ended.at >= $9)))
    returning operator_id
  )
  update operators set last_sign_in_at = $3 from opened where id = operator_id`;

const FIND = `
  select operator_id, roles, sellers, totp_secret is not null as totp, sessions.openid_issuer is not null as by_openid,
    sessions.created_at, last_seen_at, coalesce(proven_at, sessions.created_at) as proven_at, previous_sign_in_at, ends_at
  from sessions join operators on operators.id = operator_id and state = 'active'
  where digest = $1 and last_seen_at > $2 and sessions.created_at > $3 and (ends_at is null or ends_at > $4)`;

const LIST = `
  select digest, created_at, last_seen_at, address, browser, ends_at
  from sessions where operator_id = $1 and last_seen_at > $2 and created_at > $3 and (ends_at is null or ends_at > $4)
  order by created_at desc, digest`;
