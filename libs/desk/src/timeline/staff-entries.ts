import { Injectable } from '@nestjs/common';
import { Mails } from '#fulfilment/mails';
import { type OrderNote, OrderNotes } from '#orders/order-notes';
import { RevealReasons } from '#orders/reveal-reasons';
import { type AuditEntry, AuditLog } from '#accounts/audit-log';
import type { Caller } from '#accounts/caller';
import { OperatorNames } from '#accounts/operator-names';
import { pingId } from '#outbound/ping-id';
import { builtInQueue } from '../queues/work-queue.js';
import type { UnnamedEntry } from './entry.js';
import { mailEntries } from './mail-entries.js';

const ACTIONS = [
  'order.assigned',
  'order.escalated',
  'order.tagged',
  'order.snoozed',
  'personal_data.revealed',
  'ping.sent',
];

/** What people did besides changing the order: notes, tags, assignments, snoozes, looks at personal data, resent pings, e-mails. */
@Injectable()
export class StaffEntries {
  constructor(
    private readonly notes: OrderNotes,
    private readonly mails: Mails,
    private readonly audit: AuditLog,
    private readonly reasons: RevealReasons,
    private readonly names: OperatorNames,
  ) {}

  /** @param statuses how many statuses, and so how many pings, the order has. Brokers see only the notes for partners. */
  async ofOrder(orderId: string, statuses: number, { sellers }: Caller): Promise<UnnamedEntry[]> {
    const pings = Array.from({ length: statuses }, (_, index) => `ping:${pingId({ orderId, sequence: index + 1 })}`);
    const [notes, mails, audited] = await Promise.all([
      this.notes.ofOrder(orderId, sellers ? ['partner'] : ['internal', 'partner']),
      this.mails.ofOrder(orderId),
      sellers
        ? []
        : this.audit.about([`order:${orderId}`, ...pings], ACTIONS).then((found) => this.reasons.opened(found)),
    ]);
    const names = await this.names.of(audited.flatMap(({ detail }) => assigneeOf(detail) ?? []));
    return [
      ...notes.map(noteEntry),
      ...mails.flatMap(mailEntries),
      ...audited.map((entry) => auditEntry(entry, names)),
    ];
  }
}

function noteEntry({ id, at, author, visibility, text }: OrderNote): UnnamedEntry {
  const title = visibility === 'partner' ? 'Note for partners' : 'Note';
  const detail = { id, text, visibility };
  return { at, kind: 'note', actor: author, title, detail, transaction_id: null, order: id };
}

function auditEntry(entry: AuditEntry, names: ReadonlyMap<string, string>): UnnamedEntry {
  const { at, actor, detail, transaction_id, id } = entry;
  return { at, actor, detail, transaction_id, order: id, ...auditTitle(entry, names) };
}

function auditTitle({ action, detail }: AuditEntry, names: ReadonlyMap<string, string>) {
  switch (action) {
    case 'order.assigned': {
      const assignee = assigneeOf(detail);
      const title = assignee === undefined ? 'Assigned to nobody' : `Assigned to ${names.get(assignee) ?? assignee}`;
      return { kind: 'assignment', title } as const;
    }
    case 'order.escalated': {
      const { after_minutes: minutes, queue, name } = detail as Record<'after_minutes' | 'queue' | 'name', unknown>;
      const where = builtInQueue(String(queue)) ? 'in the queue' : 'overdue in the queue';
      const title = `Escalated: more than ${String(minutes)} minutes ${where} ${String(name ?? queue)}`;
      return { kind: 'assignment', title } as const;
    }
    case 'order.tagged': {
      const tags = Array.isArray(detail['tags']) ? detail['tags'].join(', ') : '';
      return { kind: 'assignment', title: tags === '' ? 'All tags removed' : `Tagged ${tags}` } as const;
    }
    case 'order.snoozed': {
      const until = typeof detail['until'] === 'string' ? `Snoozed until ${detail['until']}` : 'Snooze ended';
      return { kind: 'assignment', title: until } as const;
    }
    case 'ping.sent':
      return { kind: 'ping', title: 'Ping sent again' } as const;
    default:
      return { kind: 'reveal', title: 'Personal data revealed' } as const;
  }
}

function assigneeOf(detail: AuditEntry['detail']): string | undefined {
  const { assignee } = detail;
  return typeof assignee === 'string' ? `operator:${assignee}` : undefined;
}
