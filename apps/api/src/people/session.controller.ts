import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiCookieAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Session, SignInRequest } from '#contracts/backoffice/operator';
import { permissionsOf } from '#contracts/backoffice/permission';
import { Operators } from '#people/operators';
import { type Session as OpenSession, Sessions } from '#people/sessions';
import { SignIn } from '#people/sign-in';
import { ApiErrors } from '../http/api-errors.js';
import { addressKey } from '../http/client-address.js';
import { HttpError } from '../http/http-error.js';
import { Callers } from './callers.js';
import { OwnSiteGuard } from './own-site.guard.js';
import { SessionAudit } from './session-audit.js';
import { clearSessionCookie, setSessionCookie } from './session-cookie.js';

@ApiTags('back office: session')
@Controller('backoffice/v1/session')
@UseGuards(OwnSiteGuard)
export class SessionController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly operators: Operators,
    private readonly callers: Callers,
    private readonly audit: SessionAudit,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ operationId: 'signIn', summary: 'Sign in; the answer sets the cookie of the session' })
  @ApiOkResponse({ standardSchema: Session })
  @ApiErrors(40000, 40001, 40110, 40111, 40310, 41500, 42900, 50300)
  async open(
    @Body({ schema: SignInRequest }) { email, password, code }: SignInRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Session> {
    const result = await this.signIn.check({ email, password, code, address: addressKey(request.ip) });
    if (result.is === 'code needed') throw HttpError.with(40111);
    if (result.is !== 'signed in') {
      await this.audit.refuse(request, { operatorId: result.operatorId, reason: result.is });
      if (result.is === 'wrong') throw HttpError.with(40110);
      throw HttpError.tooMany(result);
    }
    const token = await this.sessions.open(result.operatorId, request.ip);
    const session = await this.sessions.find(token);
    if (!session) throw HttpError.with(40110);
    await this.audit.record(request, 'session.signed_in', result.operatorId);
    setSessionCookie(request, reply, token);
    return await this.shown(session);
  }

  @Get()
  @ApiCookieAuth('session')
  @ApiOperation({ operationId: 'getSession', summary: 'Who is signed in' })
  @ApiOkResponse({ standardSchema: Session })
  @ApiErrors(40100)
  async read(@Req() request: FastifyRequest): Promise<Session> {
    const session = await this.callers.sessionOf(request);
    if (!session) throw HttpError.with(40100);
    return await this.shown(session);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ operationId: 'signOut', summary: 'Sign out and end the session' })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  @ApiErrors(40310)
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const session = await this.callers.sessionOf(request);
    clearSessionCookie(request, reply);
    if (!session) return;
    await this.sessions.end(session.digest);
    await this.audit.record(request, 'session.signed_out', session.operator.id);
  }

  private async shown({ operator: { id }, csrfToken, expiresAt }: OpenSession): Promise<Session> {
    const operator = await this.operators.find(id);
    if (!operator) throw HttpError.with(40100);
    return {
      operator: { ...operator, roles: [...operator.roles], sellers: operator.sellers && [...operator.sellers] },
      permissions: permissionsOf(operator.roles),
      csrf_token: csrfToken,
      expires_at: expiresAt.toISOString(),
    };
  }
}
