import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { permissionsOf, sellersSeen } from './permission.contract.js';
import { StaffToken } from './clients/staff-token.js';
import { ApiTokens } from './people/api-tokens.js';
import { ADMINISTRATOR_TOKEN, type Caller } from './caller.js';
import { type Session, Sessions } from './people/sessions.js';
import { bearerTokenIn } from '#base/token';
import { HttpError } from '#web/http-error';
import { SAFE_METHODS } from '#web/safe-methods';
import { isFromOtherSite } from './people/own-site.guard.js';
import { RequiredTotp } from './people/required-totp.js';
import { sessionTokenIn } from './people/session-cookie.js';
import { TokenGuesses } from './people/token-guesses.js';

/** Tells who makes a request: a token in `Authorization`, or else the cookie of a session. */
@Injectable()
export class Callers {
  constructor(
    private readonly administrator: StaffToken,
    private readonly tokens: ApiTokens,
    private readonly sessions: Sessions,
    private readonly guesses: TokenGuesses,
    private readonly requiredTotp: RequiredTotp,
  ) {}

  /**
   * Undefined for somebody who is not signed in. Throws 40310 if another site could have made the request, 40311 if the person has to set up an
   * authenticator app first, 42900 after many wrong tokens.
   */
  async of(request: FastifyRequest): Promise<Caller | undefined> {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      return await this.guesses.checked(authorization, request.ip, () => this.byToken(authorization));
    }
    const session = await this.sessionOf(request);
    if (!session) return undefined;
    this.requiredTotp.check(session, request);
    return operatorCaller(session);
  }

  /** The session of the request's cookie. Unsafe methods need its CSRF token too. */
  async sessionOf(request: FastifyRequest): Promise<Session | undefined> {
    const token = sessionTokenIn(request);
    const session = token === undefined ? undefined : await this.sessions.find(token, useOf(request));
    if (!session || SAFE_METHODS.includes(request.method)) return session;
    if (isFromOtherSite(request) || !hasCsrfToken(request, session)) throw HttpError.with(40310);
    return session;
  }

  private async byToken(authorization: string): Promise<Caller | undefined> {
    if (this.administrator.admits(authorization)) return ADMINISTRATOR_TOKEN;
    const token = bearerTokenIn(authorization);
    const found = token === undefined ? undefined : await this.tokens.find(token);
    if (!found) return undefined;
    const { id, scopes: permissions, sellers } = found;
    return { kind: 'token', actor: `token:${id}`, permissions, sellers };
  }
}

function operatorCaller({ operator, digest, provenAt }: Session): Caller {
  const permissions = permissionsOf(operator.roles);
  const sellers = sellersSeen(operator);
  return { kind: 'operator', actor: `operator:${operator.id}`, permissions, sellers, session: digest, provenAt };
}

/** What a page asks by itself does not keep a session alive that nobody uses. A change does, whoever says otherwise. */
function useOf({ method, headers }: FastifyRequest): 'seen' | 'unseen' {
  const asksByItself = headers['x-background'] !== undefined || headers.accept === 'text/event-stream';
  return asksByItself && SAFE_METHODS.includes(method) ? 'unseen' : 'seen';
}

function hasCsrfToken(request: FastifyRequest, { csrfToken }: Session): boolean {
  const sent = Buffer.from(String(request.headers['x-csrf-token'] ?? ''));
  const expected = Buffer.from(csrfToken);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
