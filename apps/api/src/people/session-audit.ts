import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AuditLog } from '#people/audit-log';
import { type RefusedSignIn, RefusedSignIns } from '#people/refused-sign-ins';
import { addressKey } from '../http/client-address.js';

type Detail = Readonly<Record<string, unknown>>;

/** What the audit log says about sign-ins, whichever way they are made. */
@Injectable()
export class SessionAudit {
  constructor(
    private readonly audit: AuditLog,
    private readonly refusals: RefusedSignIns,
  ) {}

  /** What the operator did. */
  async record(
    { id: transactionId, ip: address }: FastifyRequest,
    action: 'session.signed_in' | 'session.signed_out',
    operatorId: string,
    detail: Detail = {},
  ): Promise<void> {
    const actor = `operator:${operatorId}`;
    await this.audit.record({ actor, action, subject: actor, transactionId, address, detail });
  }

  async refuse(
    { id: transactionId, ip: address }: FastifyRequest,
    refused: Pick<RefusedSignIn, 'operatorId' | 'reason' | 'detail'>,
  ): Promise<void> {
    await this.refusals.record({ ...refused, transactionId, address, network: addressKey(address) });
  }
}
