import type { AuditedAction } from '#people/audit-log';
import type { EscalationRule } from './work-queues.js';

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
