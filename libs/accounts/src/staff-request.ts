import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Metadata } from '#event-store/event';
import type { Caller } from './caller.js';
import type { KeyedRequest } from '#web/keyed-request';

/** A request that `PermissionGuard` has checked. */
export type StaffRequest = KeyedRequest & {
  caller?: Caller;
  /** Set by a route that succeeded and changed nothing. */
  skipsAudit?: boolean;
  auditDetail?: Readonly<Record<string, unknown>>;
};

/** The caller that `PermissionGuard` admitted. */
export const StaffCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return callerOf(context.switchToHttp().getRequest<StaffRequest>());
});

export function callerOf(request: StaffRequest): Caller {
  if (!request.caller) throw new Error('the route has no PermissionGuard');
  return request.caller;
}

/** The part of a request that is stored with the events of its command. */
export function metadataOf(request: StaffRequest): Metadata {
  return { transaction_id: request.id, actor: callerOf(request).actor };
}
