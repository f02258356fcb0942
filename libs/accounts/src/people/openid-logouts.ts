import { Inject, Injectable, Logger } from '@nestjs/common';
import { errors, jwtVerify } from 'jose';
import { Pool } from 'pg';
import { z } from 'zod';
import { DatabaseClock } from '#database/database-clock';
import { inTransaction } from '#database/transaction';
import { Clock } from '#base/clock';
import { AuditLog } from '../audit-log.js';
import { OpenIdProvider } from './openid-provider.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const OLDEST_S = 600;
const CLOCKS_APART_S = 60;
// A token that is older than this is refused by its age, so its id need not be known any more.
const KEPT_MS = 3_600_000;

const LogoutToken = z
  .object({
    iss: z.string(),
    jti: z.string().min(1).max(500),
    sub: z.string().min(1).optional(),
    sid: z.string().min(1).optional(),
    iat: z.number(),
    events: z.object({ [EVENT]: z.object({}) }),
    // An ID token has one. It must not pass for a logout token.
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);
type LogoutToken = z.output<typeof LogoutToken>;

/** `unavailable`: the provider did not say by which keys it signs. */
export type LogoutResult = 'ended' | 'invalid' | 'unavailable';

/** Ends sessions when the OpenID provider says that they ended there (OpenID Connect Back-Channel Logout 1.0). */
@Injectable()
export class OpenIdLogouts {
  readonly #log = new Logger('OpenIdLogouts');

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly provider: OpenIdProvider,
    private readonly audit: AuditLog,
  ) {}

  async end(token: string, from: Readonly<{ transactionId: string; address: string }>): Promise<LogoutResult> {
    const verified = await this.#verified(token);
    if (typeof verified === 'string') return verified;
    const { iss, jti, sub = null, sid = null, iat } = verified;
    return await inTransaction(this.pool, async (client) => {
      const { rowCount } = await client.query(NOTE, [iss, jti, sub, sid, new Date(iat * 1_000)]);
      if (rowCount === 0) return 'invalid';
      const { rows } = await client.query<{ operator_id: string }>(END, [iss, sub, sid]);
      const entries = rows.map(({ operator_id: id }) => `operator:${id}`);
      const of = { actor: 'system', action: 'session.signed_out', detail: { by: 'openid' }, ...from };
      await this.audit.recordAll(
        entries.map((subject) => ({ ...of, subject })),
        client,
      );
      return 'ended';
    });
  }

  async prune(): Promise<void> {
    await this.pool.query('delete from openid_logouts where at < $1', [new Date(this.clock.now() - KEPT_MS)]);
  }

  async #verified(token: string): Promise<LogoutToken | 'invalid' | 'unavailable'> {
    try {
      const { issuer, client: audience, keys } = await this.provider.signatures();
      const times = { currentDate: new Date(this.clock.now()), clockTolerance: CLOCKS_APART_S, maxTokenAge: OLDEST_S };
      const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer, audience, ...times });
      // Other tokens, such as access tokens, say what they are.
      const isKind = [undefined, 'jwt', 'logout+jwt'].includes(protectedHeader.typ?.toLowerCase());
      const { data } = LogoutToken.safeParse(payload);
      return isKind && data ? data : 'invalid';
    } catch (error) {
      const { code, name } = error as { code?: string; name?: string };
      this.#log.warn(`a log-out by the OpenID provider was refused: ${code ?? name ?? 'unknown error'}`);
      return error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) ? 'invalid' : 'unavailable';
    }
  }
}

const NOTE = `
  insert into openid_logouts (issuer, jti, subject, sid, at) values ($1, $2, $3, $4, $5)
  on conflict (issuer, jti) do nothing`;

// By the id of the session; all of the person, where the token or the session has none.
const END = `
  delete from sessions
  where openid_issuer = $1 and ($2::text is null or openid_subject = $2)
    and ($3::text is null or openid_sid = $3 or (openid_sid is null and openid_subject = $2))
  returning operator_id`;
