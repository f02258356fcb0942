import type { OrderJobKind } from '#contracts/backoffice/job';
import type { OrderCommand } from '#domain/order/order';
import type { DenialReason } from '#domain/order/order-events';

/** The kinds that change the order itself. The others change what is recorded beside it. */
export type CommandKind = Exclude<OrderJobKind, 'tag' | 'assign'>;

export type JobCommand = Readonly<{
  kind: CommandKind;
  arguments: Readonly<Record<string, unknown>>;
  note: string | undefined;
}>;

/** @param at the time now, ISO 8601 */
export function commandOf({ kind, arguments: given, note }: JobCommand, at: string): OrderCommand {
  const noted = note === undefined ? {} : { note };
  switch (kind) {
    case 'change_status':
      return { type: 'ChangeStatus', statusCode: given['status_code'] as number, ...noted };
    case 'accept':
      return { type: 'Accept', at, ...noted };
    case 'deny':
      return { type: 'Deny', reason: given['reason'] as DenialReason, at, ...noted };
    case 'cancel_event':
      return { type: 'CancelEvent', ...noted };
  }
}
