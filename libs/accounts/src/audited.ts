import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { mergeMap, type Observable } from 'rxjs';
import { AuditLog } from './audit-log.js';
import { PersonalReads, type ReadRequest } from './personal-reads.js';
import { callerOf, type StaffRequest } from './staff-request.js';

const AUDITED = 'audited action';

/** The subject is `kind` and the last parameter of the route, or else the `id` or `client_id` of the answer. */
type Audited = Readonly<{ action: string; kind: string }>;

/**
 * What the audit log says about a route once it has succeeded. Every route that changes something has one.
 *
 * @example
 * @Audit('order.changed', 'order')
 */
export const Audit = (action: string, kind: string) => SetMetadata(AUDITED, { action, kind } satisfies Audited);

/** Adds to the audit entry of this request. `detail` must hold no personal data. */
export function auditDetail(request: StaffRequest, detail: Readonly<Record<string, unknown>>): void {
  request.auditDetail = { ...request.auditDetail, ...detail };
}

/** Call this if the request changed nothing, so that the audit log gets no entry. */
export function skipAudit(request: StaffRequest): void {
  request.skipsAudit = true;
}

/** The answer to a dry run says that it was one. */
function isDryRun(answer: unknown): boolean {
  return (answer as { dry_run?: unknown } | null | undefined)?.dry_run === true;
}

export const readRequestOf = ({ id, ip }: StaffRequest): ReadRequest => ({ transactionId: id, address: ip });

/** Writes the entry before the answer goes out, and the one of a program that reads buyers' data in clear. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: AuditLog,
    private readonly reads: PersonalReads,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const audited = this.reflector.get<Audited | undefined>(AUDITED, context.getHandler());
    const request = context.switchToHttp().getRequest<StaffRequest>();
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        if (audited && !request.skipsAudit && !isDryRun(answer)) await this.record(audited, request, answer);
        await this.reads.settle(callerOf(request), readRequestOf(request));
        return answer;
      }),
    );
  }

  private async record({ action, kind }: Audited, request: StaffRequest, answer: unknown): Promise<void> {
    const made = answer as { id?: string; client_id?: string } | null | undefined;
    const id = Object.values(request.params as Record<string, string>).at(-1) ?? made?.id ?? made?.client_id;
    await this.audit.record({
      actor: callerOf(request).actor,
      action,
      subject: id === undefined ? kind : `${kind}:${id}`,
      transactionId: request.id,
      address: request.ip,
      ...(request.auditDetail && { detail: request.auditDetail }),
    });
  }
}
