import { Body, Controller, Delete, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { ApiCookieAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Session, SessionList, SessionProof } from '../operator.contract.js';
import { type ListedSession, type Session as OpenSession, Sessions } from './sessions.js';
import { SignIn } from './sign-in.js';
import { ApiErrors } from '#web/api-errors';
import { addressKey } from '#web/client-address';
import { HttpError } from '#web/http-error';
import { Callers } from '../callers.js';
import { OwnSiteGuard } from './own-site.guard.js';
import { knownBrowserIn } from './session-cookie.js';
import { SessionView } from './session-view.js';
import { StaffSessions } from './staff-sessions.js';

const ID_DIGITS = 32;

/** What people do with the sessions that they have. */
@ApiTags('back office: session')
@Controller('backoffice/v1/session')
@ApiCookieAuth('session')
@UseGuards(OwnSiteGuard)
export class OwnSessionsController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly staffSessions: StaffSessions,
    private readonly callers: Callers,
    private readonly view: SessionView,
  ) {}

  @Post('confirm')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'confirmSession',
    summary: 'Prove who you are, for acts that need a proof within the last 5 minutes (40112)',
  })
  @ApiOkResponse({ standardSchema: Session })
  @ApiErrors(40000, 40001, 40100, 40110, 40111, 40310, 41500, 42900, 50300)
  async confirm(
    @Body({ schema: SessionProof }) { password, code }: SessionProof,
    @Req() request: FastifyRequest,
  ): Promise<Session> {
    const session = await this.#sessionOf(request);
    const { id: operatorId } = session.operator;
    const from = { address: addressKey(request.ip), browserNote: knownBrowserIn(request) };
    const result = await this.signIn.confirm({ operatorId, password, code, ...from });
    if (result.is === 'code needed') throw HttpError.with(40111);
    if (result.is !== 'signed in') {
      await this.staffSessions.refuse(request, { operatorId, reason: result.is });
      if (result.is === 'wrong') throw HttpError.with(40110);
      throw HttpError.tooMany(result);
    }
    await this.staffSessions.prove(request, session, result.byRecoveryCode ? { by: 'recovery_code' } : {});
    return await this.view.of(session);
  }

  @Get('all')
  @ApiOperation({ operationId: 'listSessions', summary: 'Where you are signed in, the latest sign-in first' })
  @ApiOkResponse({ standardSchema: SessionList })
  @ApiErrors(40100)
  async list(@Req() request: FastifyRequest): Promise<SessionList> {
    const { digest, operator } = await this.#sessionOf(request);
    const sessions = await this.sessions.list(operator.id);
    return { sessions: sessions.map((each) => ({ ...shown(each), current: each.digest.equals(digest) })) };
  }

  @Delete('all')
  @HttpCode(204)
  @ApiOperation({ operationId: 'endOtherSessions', summary: 'Sign out everywhere else' })
  @ApiNoContentResponse({ description: 'All your other sessions have ended.' })
  @ApiErrors(40100, 40310)
  async endOthers(@Req() request: FastifyRequest): Promise<void> {
    await this.staffSessions.endOthers(request, await this.#sessionOf(request));
  }

  async #sessionOf(request: FastifyRequest): Promise<OpenSession> {
    const session = await this.callers.sessionOf(request);
    if (!session) throw HttpError.with(40100);
    return session;
  }
}

/** The id is a part of the digest, which gives no access. */
function shown({ digest, createdAt, lastSeenAt, expiresAt, address, browser }: ListedSession) {
  return {
    id: `ses_${digest.toString('hex').slice(0, ID_DIGITS)}`,
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
    address,
    browser,
    expires_at: expiresAt.toISOString(),
  };
}
