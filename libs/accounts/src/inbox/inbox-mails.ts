import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { Ids } from '#base/ids';
import { type AskedOrder, seesOrder } from '#domain/order-access';
import { htmlOf } from '#mail/mail-html';
import { MailOutbox } from '#mail/mail-outbox';
import type { RenderedMail } from '#mail/mail-page';
import type { OutgoingMail } from '#mail/mail-transport';
import { unlinked } from '#mail/unlinked';
import { isFree, type MailChange, type WaitingMails } from '#mail/waiting-mails';
import type { InboxNoticeKind } from '../inbox.contract.js';
import { type Role, sellersSeen } from '../permission.contract.js';

/** A notice as a part of a mail, with the operator and the order as they are now. `name` is that of the actor. */
type MailedNotice = AskedOrder &
  Readonly<{
    mail_id: string;
    kind: InboxNoticeKind;
    order_id: string;
    orders: number;
    operator_id: string;
    name: string | null;
    email: string;
    state: string;
    roles: readonly Role[];
    sellers: readonly string[] | null;
  }>;

const MOST_NOTICES = 50;

/** Mails people their unread notices: one mail for all that wait. It says who and where, and nothing of what was written. */
@Injectable()
export class InboxMails implements WaitingMails<MailedNotice> {
  readonly table = {
    name: 'inbox_notices',
    key: ['mail_id'],
    rowKey: ['id'],
    leasedUntil: 'mail_until',
    next: NEXT,
    // An interrupted mail keeps its id and its notices.
    claimed: 'mail_id = coalesce(mail.mail_id, $3)',
  };

  constructor(
    private readonly outbox: MailOutbox,
    private readonly ids: Ids,
    private readonly settings: Settings,
  ) {}

  /** Sends one mail, and returns whether there was one. */
  async step(): Promise<boolean> {
    return await this.outbox.send(this, [this.ids.next('inm'), MOST_NOTICES]);
  }

  compose(notices: readonly [MailedNotice, ...MailedNotice[]]): OutgoingMail | Readonly<{ reason: string }> {
    const [{ mail_id: id, email, state, roles, sellers }] = notices;
    const seen = notices.filter((order) => seesOrder(sellersSeen({ roles, sellers }), order));
    const [first, ...others] = seen;
    if (state !== 'active' || !first) return { reason: 'the operator may not see the order' };
    return { id, to: email, ...inboxMail([first, ...others], this.settings.PUBLIC_URL) };
  }

  ended(): MailChange {
    return { sql: 'update inbox_notices set to_mail = false, mail_until = null' };
  }
}

type SaidNotice = Pick<MailedNotice, 'kind' | 'name' | 'order_id' | 'orders' | 'operator_id'>;

/** What it says. @param publicUrl where the console is */
export function inboxMail(notices: readonly [SaidNotice, ...SaidNotice[]], publicUrl: string): RenderedMail {
  const subject = notices.length === 1 ? said(notices[0]) : `${notices.length} notices in Willcall`;
  const lines = notices.map((notice) => `${said(notice)}\n${publicUrl}${placeOf(notice)}`);
  const text = [...lines, `You can turn these e-mails off: ${publicUrl}/notices`].join('\n\n');
  return { subject, text, html: htmlOf(text) };
}

function said({ kind, name, order_id: orderId, orders }: SaidNotice): string {
  const who = unlinked(name ?? 'Willcall');
  if (kind === 'mention') return `${who} mentioned you on order ${orderId}`;
  return orders === 1 ? `${who} assigned order ${orderId} to you` : `${who} assigned ${orders} orders to you`;
}

function placeOf({ orders, order_id: orderId, operator_id: operatorId }: SaidNotice): string {
  return orders === 1 ? `/orders/${orderId}` : `/orders?assignee=${operatorId}`;
}

/** $1: now, $4: how many notices. */
const NEXT = `
  with first as (
    select operator_id, mail_id from inbox_notices
    where to_mail and ${isFree('mail_until')} order by id limit 1 for update skip locked)
  select n.id, p.email, p.state, p.roles, p.sellers, o.seller, o.stage, o.queue, a.name
  from inbox_notices n
  join first on n.operator_id = first.operator_id and n.mail_id is not distinct from first.mail_id
  join operators p on p.id = n.operator_id
  left join orders o on o.id = n.order_id
  left join operators a on n.actor = 'operator:' || a.id
  where n.to_mail and ${isFree('n.mail_until')}
  order by n.id limit $4 for update of n skip locked`;
