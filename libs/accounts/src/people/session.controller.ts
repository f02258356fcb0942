import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiCookieAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Session, SignInRequest } from '../operator.contract.js';
import { SignIn } from './sign-in.js';
import { ApiErrors } from '#web/api-errors';
import { addressKey } from '#web/client-address';
import { HttpError } from '#web/http-error';
import { Callers } from '../callers.js';
import { OwnSiteGuard } from './own-site.guard.js';
import { knownBrowserIn } from './session-cookie.js';
import { SessionView } from './session-view.js';
import { StaffSessions } from './staff-sessions.js';

@ApiTags('back office: session')
@Controller('backoffice/v1/session')
@UseGuards(OwnSiteGuard)
export class SessionController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: StaffSessions,
    private readonly callers: Callers,
    private readonly view: SessionView,
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
    const from = { address: addressKey(request.ip), browserNote: knownBrowserIn(request) };
    const result = await this.signIn.check({ email, password, code, ...from });
    if (result.is === 'code needed') throw HttpError.with(40111);
    if (result.is !== 'signed in') {
      await this.sessions.refuse(request, { operatorId: result.operatorId, reason: result.is });
      if (result.is === 'wrong') throw HttpError.with(40110);
      throw HttpError.tooMany(result);
    }
    const { operatorId, byRecoveryCode } = result;
    const detail = byRecoveryCode ? { by: 'recovery_code' } : {};
    const session = await this.sessions.open(request, reply, { operatorId, detail });
    if (!session) throw HttpError.with(40110);
    return await this.view.of(session);
  }

  @Get()
  @ApiCookieAuth('session')
  @ApiOperation({ operationId: 'getSession', summary: 'Who is signed in' })
  @ApiOkResponse({ standardSchema: Session })
  @ApiErrors(40100)
  async read(@Req() request: FastifyRequest): Promise<Session> {
    const session = await this.callers.sessionOf(request);
    if (!session) throw HttpError.with(40100);
    return await this.view.of(session);
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({ operationId: 'signOut', summary: 'Sign out and end the session' })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  @ApiErrors(40310)
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.sessions.end(request, reply, await this.callers.sessionOf(request));
  }
}
