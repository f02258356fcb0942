import { Body, Controller, Get, Header, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '#base/settings';
import { OpenIdQuery, SignInOptions } from '../operator.contract.js';
import { OpenIdLogouts } from './openid-logouts.js';
import { type OpenIdResult, OpenIdSignIn } from './openid-sign-in.js';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { Callers } from '../callers.js';
import { clearPendingCookie, pendingSignInIn, setPendingCookie } from './session-cookie.js';
import { StaffSessions } from './staff-sessions.js';

const LONGEST_TOKEN = 16_384;
const BY_OPENID = { by: 'openid' };

// The pages of the console that people come back to.
const SIGN_IN = '/sign-in';
const CONFIRMED = '/confirmed';

type Refused = Exclude<OpenIdResult, { is: 'signed in' | 'proven' }>;

/** Sign-in with the OpenID provider. The browser itself follows these addresses, so they answer with redirects. */
@ApiTags('back office: session')
@Controller('backoffice/v1/session')
export class OpenIdController {
  constructor(
    private readonly signIn: OpenIdSignIn,
    private readonly logouts: OpenIdLogouts,
    private readonly sessions: StaffSessions,
    private readonly callers: Callers,
    private readonly settings: Settings,
  ) {}

  @Get('options')
  @ApiOperation({ operationId: 'getSignInOptions', summary: 'How people can sign in' })
  @ApiOkResponse({ standardSchema: SignInOptions })
  options(): SignInOptions {
    const { PASSWORD_MIN_LENGTH: least } = this.settings;
    return { password: true, password_min_length: least, openid: this.signIn.isConfigured };
  }

  @Get('openid')
  @ApiOperation({ operationId: 'signInWithOpenId', summary: 'Redirect the browser to the OpenID provider' })
  @ApiFoundResponse({ description: 'the address of the provider, or of the sign-in page if it does not answer' })
  @ApiErrors(40001, 40400)
  async begin(
    @Query({ schema: OpenIdQuery }) { next, confirm }: OpenIdQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!this.signIn.isConfigured) throw HttpError.notFound('OpenID provider');
    const proven = confirm === 'true' ? await this.callers.sessionOf(request) : undefined;
    if (confirm === 'true' && !proven) return this.#lead(reply, CONFIRMED, { problem: 'failed' });
    const begun = await this.signIn.begin(next, proven?.digest);
    if (!begun) return this.#lead(reply, proven ? CONFIRMED : SIGN_IN, { problem: 'failed' });
    setPendingCookie(request, reply, begun.pending);
    await reply.redirect(begun.address, 302);
  }

  @Get('openid/callback')
  @ApiOperation({
    operationId: 'finishOpenIdSignIn',
    summary: 'Take the answer of the OpenID provider, and open a session',
  })
  @ApiFoundResponse({ description: 'the sign-in page, which goes on to where the person wanted to go' })
  @ApiErrors(40400)
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!this.signIn.isConfigured) throw HttpError.notFound('OpenID provider');
    const query = request.url.slice(request.url.indexOf('?') + 1);
    const result = await this.signIn.finish(query, pendingSignInIn(request));
    clearPendingCookie(request, reply);
    if (result.is === 'proven') return await this.#prove(result, request, reply);
    if (result.is !== 'signed in') return await this.#refuse(result, request, reply);
    const { operatorId, openid } = result;
    const session = await this.sessions.open(request, reply, { operatorId, detail: BY_OPENID, openid });
    if (!session) return await this.#refuse({ is: 'unknown' }, request, reply);
    return this.#lead(reply, SIGN_IN, { next: result.next });
  }

  /** The person at the provider must be the one of the session, and the session that in which they began. */
  async #prove(
    { operatorId, session: begunIn }: Extract<OpenIdResult, { is: 'proven' }>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const session = await this.callers.sessionOf(request);
    const isSame = session?.operator.id === operatorId && session.digest.equals(begunIn);
    if (!session || !isSame) return await this.#refuse({ is: 'unknown', of: 'proof' }, request, reply);
    await this.sessions.prove(request, session, BY_OPENID);
    return this.#lead(reply, CONFIRMED, {});
  }

  /** The provider itself calls it, with a form. The token is the credential. */
  @Post('openid/logout')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'logOutByOpenId',
    summary: 'End the sessions that ended at the OpenID provider (OpenID Connect Back-Channel Logout 1.0)',
  })
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['logout_token'],
      properties: { logout_token: { type: 'string', description: 'a JWT of the provider' } },
    },
  })
  @ApiOkResponse({ description: 'They have ended.' })
  @ApiErrors(40001, 40400, 50300)
  async logOut(@Body() body: unknown, @Req() request: FastifyRequest): Promise<void> {
    if (!this.signIn.isConfigured) throw HttpError.notFound('OpenID provider');
    const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '');
    const [token, ...others] = form.getAll('logout_token');
    if (token === undefined || others.length > 0 || token.length > LONGEST_TOKEN)
      throw HttpError.with(40001, 'logout_token');
    const result = await this.logouts.end(token, { transactionId: request.id, address: request.ip });
    if (result === 'unavailable') throw HttpError.with(50300, 'the OpenID provider does not answer');
    if (result === 'invalid') throw HttpError.with(40001, 'logout_token');
  }

  async #refuse({ is: problem, of = 'sign-in' }: Refused, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.sessions.refuse(request, { reason: problem, detail: BY_OPENID });
    const place = of === 'proof' ? CONFIRMED : SIGN_IN;
    return this.#lead(reply, place, { problem });
  }

  #lead(reply: FastifyReply, page: string, query: Readonly<Record<string, string>>): void {
    const asked = new URLSearchParams(query).toString();
    void reply.redirect(`${this.settings.PUBLIC_URL}${page}${asked && `?${asked}`}`, 302);
  }
}
