import type { AuditedAction } from '#accounts/audit-log';
import { IS_SAMPLE_ORDER } from '#listings/sample-ids';
import type { EscalationRule } from './work-queue.js';

/** What the audit log and the timeline say of an escalated order. `detail` names its queue. */
export function escalationActions(
  orderId: string,
  { after_minutes, assignee }: Pick<EscalationRule, 'after_minutes' | 'assignee'>,
  detail: Readonly<{ queue: string; name?: string }>,
): AuditedAction[] {
  const action = { actor: 'system', subject: `order:${orderId}` };
  return [
    { ...action, action: 'order.escalated', detail: { ...detail, after_minutes } },
    ...(assignee === null ? [] : [{ ...action, action: 'order.assigned', detail: { assignee } }]),
  ];
}

/** To whom an escalated order of `due` is announced, in SQL: nobody hears of the sample orders. @param notify the address, in SQL */
export const noticeOf = (notify: string): string =>
  `case when not exists (select from orders o where o.id = due.order_id and ${IS_SAMPLE_ORDER}) then ${notify} end`;
