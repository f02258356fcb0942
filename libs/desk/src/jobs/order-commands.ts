import { createHash } from 'node:crypto';
import type { OrderJobKind } from '../job.contract.js';
import type { OrderCommand } from '#domain/order';
import type { DenialReason } from '#domain/order-events';
import { askedOf, type RefundArguments } from '#money/refund.contract';
import { choiceUntil, type JobItem } from '../job.js';

/** The kinds that change the order itself, or ask its buyer. The others change what is recorded beside it. */
export type CommandKind = Exclude<OrderJobKind, 'tag' | 'assign' | 'move_event'>;

export type JobCommand = Readonly<{
  /** Empty if it only says what would happen, and so is `actor`. */
  id: string;
  /** Who began the job. */
  actor: string;
  kind: CommandKind;
  arguments: Readonly<Record<string, unknown>>;
  note: string | undefined;
  /** It takes back what another job did. */
  isUndo?: boolean;
}>;

/** @param at the time now, ISO 8601 */
export function commandOf(job: JobCommand, orderId: string, at: string): OrderCommand {
  const { kind, arguments: given, note, actor: requestedBy } = job;
  const refundId = refundIdOf(job.id, orderId);
  const noted = note === undefined ? {} : { note };
  switch (kind) {
    case 'change_status':
      return { type: 'ChangeStatus', statusCode: given['status_code'] as number, ...noted };
    case 'accept':
      return { type: 'Accept', at, ...noted };
    case 'deny':
      return { type: 'Deny', reason: given['reason'] as DenialReason, at, ...noted };
    case 'cancel_event':
      return { type: 'CancelEvent', refund: { refundId, requestedBy }, ...noted };
    case 'postpone_event':
      return { type: 'AskChoice', job: job.id, until: choiceUntil(given, at) ?? at, at };
    case 'refund': {
      const asked = askedOf(given as RefundArguments);
      // The rule of jobs has said who approves it.
      return { type: 'RequestRefund', refundId, asked, requestedBy, approvalFromCents: Infinity, ...noted };
    }
  }
}

/** A job refunds an order once, however often it is done again. */
function refundIdOf(jobId: string, orderId: string): string {
  return `rf_${createHash('sha256').update(`${jobId}/${orderId}`).digest('hex').slice(0, 32)}`;
}

/** Gives the order its earlier status again, unless it has changed since. The status catalogue may forbid it. */
export function undoOf({ note }: JobCommand, item: Pick<JobItem, 'before' | 'version'> | undefined): OrderCommand {
  const { before, version } = item ?? {};
  const statusCode = Number(before?.['status_code']);
  return { type: 'ChangeStatus', statusCode, expectedVersion: version ?? 0, ...(note !== undefined && { note }) };
}
