import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#config/settings';
import type { Role } from '#contracts/backoffice/permission';
import { newToken, tokenDigest } from '#crypto/token';
import { Clock } from '#runtime/clock';
import { Randomness } from '#runtime/randomness';
import { DatabaseClock } from '#database/database-clock';
import type { OpenIdSession } from './openid-provider.js';

const MINUTE_MS = 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;

// A session's last use is written once a minute, so that reading does not write.
const SEEN_EVERY_MS = 60_000;

const TOKEN = /^wss_[0-9a-f]{64}$/;

export type Session = Readonly<{
  digest: Buffer;
  operator: Readonly<{ id: string; roles: readonly Role[]; sellers: readonly string[] | null }>;
  csrfToken: string;
  /** When it ends at the latest. */
  expiresAt: Date;
  /** Of the sign-in before the one that opened it. */
  previousSignInAt: Date | null;
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
  async open(operatorId: string, address: string, openid?: OpenIdSession): Promise<string> {
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
    if (use === 'seen' && now - row.last_seen_at.getTime() >= SEEN_EVERY_MS) {
      await this.pool.query('update sessions set last_seen_at = $2 where digest = $1', [digest, new Date(now)]);
    }
    return {
      digest,
      operator: { id: row.operator_id, roles: row.roles, sellers: row.sellers },
      csrfToken: csrfTokenOf(token),
      expiresAt: endOf(row),
      previousSignInAt: row.previous_sign_in_at,
    };
  }

  /** The operator of the session; undefined if it has ended. Does not count as a use. */
  async operatorOf(digest: Buffer): Promise<Session['operator'] | undefined> {
    const { rows } = await this.pool.query<SessionRow>(FIND, [digest, ...this.#limits(this.clock.now())]);
    return rows.map(({ operator_id: id, roles, sellers }) => ({ id, roles, sellers }))[0];
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

function endOf({ created_at: begin, ends_at: end }: SessionRow): Date {
  return new Date(Math.min(begin.getTime() + ABSOLUTE_MS, end?.getTime() ?? Infinity));
}

/** Derived from the session's token by a one-way hash: another site cannot compute it, and it does not reveal the token. */
function csrfTokenOf(token: string): string {
  return hash('sha256', `csrf ${token}`);
}

type SessionRow = {
  operator_id: string;
  roles: Role[];
  sellers: string[] | null;
  created_at: Date;
  last_seen_at: Date;
  previous_sign_in_at: Date | null;
  ends_at: Date | null;
};

// The provider may tell of the end of its session before this one begins.
const OPEN = `
  with opened as (
    insert into sessions (digest, operator_id, created_at, last_seen_at, address, previous_sign_in_at, openid_issuer,
      openid_subject, openid_sid, ends_at)
    select $1, id, $3, $3, $4, last_sign_in_at, $5, $6, $7, $8 from operators
    where id = $2 and not exists (
      select from openid_logouts as ended
      where ended.issuer = $5 and (
        ended.sid = $7 or (ended.subject = $6 and (ended.sid is null or $7 is null) and ended.at >= $9)))
    returning operator_id
  )
  update operators set last_sign_in_at = $3 from opened where id = operator_id`;

const FIND = `
  select operator_id, roles, sellers, sessions.created_at, last_seen_at, previous_sign_in_at, ends_at
  from sessions join operators on operators.id = operator_id and state = 'active'
  where digest = $1 and last_seen_at > $2 and sessions.created_at > $3 and (ends_at is null or ends_at > $4)`;
