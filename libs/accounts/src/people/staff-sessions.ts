import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditLog } from '../audit-log.js';
import { browserName } from './browser-name.js';
import { KnownBrowsers } from './known-browsers.js';
import { type RefusedSignIn, RefusedSignIns } from './refused-sign-ins.js';
import type { OpenIdSession } from './openid-provider.js';
import { type Session, Sessions } from './sessions.js';
import { addressKey } from '#web/client-address';
import { clearSessionCookie, knownBrowserIn, setKnownBrowserCookie, setSessionCookie } from './session-cookie.js';

type Detail = Readonly<Record<string, unknown>>;

/** Opens and ends sessions, whichever way people sign in, with the cookies of the browser and the entries of the audit log. */
@Injectable()
export class StaffSessions {
  constructor(
    private readonly sessions: Sessions,
    private readonly browsers: KnownBrowsers,
    private readonly refusals: RefusedSignIns,
    private readonly audit: AuditLog,
  ) {}

  /** Undefined if the operator has just been disabled, or signed out at the OpenID provider. */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    { operatorId, detail = {}, openid }: Readonly<{ operatorId: string; detail?: Detail; openid?: OpenIdSession }>,
  ): Promise<Session | undefined> {
    const browser = browserName(request.headers['user-agent']);
    const token = await this.sessions.open({ operatorId, address: request.ip, browser, openid });
    const session = await this.sessions.find(token);
    if (!session) return undefined;
    await this.#record(request, 'session.signed_in', operatorId, detail);
    setSessionCookie(request, reply, token);
    setKnownBrowserCookie(request, reply, this.browsers.noteAfter(operatorId, knownBrowserIn(request)));
    return session;
  }

  async refuse(
    { id: transactionId, ip: address }: FastifyRequest,
    refused: Pick<RefusedSignIn, 'operatorId' | 'reason' | 'detail'>,
  ): Promise<void> {
    await this.refusals.record({ ...refused, transactionId, address, network: addressKey(address) });
  }

  /** The person of the session has just proved who they are. */
  async prove(request: FastifyRequest, { digest, operator: { id } }: Session, detail: Detail): Promise<void> {
    await this.sessions.prove(digest);
    await this.#record(request, 'session.confirmed', id, detail);
  }

  async endOthers(request: FastifyRequest, session: Session): Promise<void> {
    await this.sessions.endOthers(session);
    await this.#record(request, 'session.others_ended', session.operator.id);
  }

  /** The browser stays known. */
  async end(request: FastifyRequest, reply: FastifyReply, session: Session | undefined): Promise<void> {
    clearSessionCookie(request, reply);
    if (!session) return;
    await this.sessions.end(session.digest);
    await this.#record(request, 'session.signed_out', session.operator.id);
  }

  async #record(request: FastifyRequest, action: string, operatorId: string, detail: Detail = {}): Promise<void> {
    const actor = `operator:${operatorId}`;
    const { id: transactionId, ip: address } = request;
    await this.audit.record({ actor, action, subject: actor, transactionId, address, detail });
  }
}
