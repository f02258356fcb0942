import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { htmlOf } from '#mail/mail-html';
import { MailOutbox } from '#mail/mail-outbox';
import type { RenderedMail } from '#mail/mail-page';
import { unlinked } from '#mail/unlinked';
import { isFree, type WaitingMails } from '#mail/waiting-mails';
import type { OutgoingMail } from '#mail/mail-transport';

/** An escalated order, as a part of a notice. `name` is that of a custom queue. */
type Announced = Readonly<{ notice_id: string; notify: string; queue: string; name: string | null; order_id: string }>;

const MOST_ORDERS = 500;
const MOST_LISTED = 50;

/** Announces escalated orders by e-mail: one for each address, queue and moment, not one for each order. */
@Injectable()
export class EscalationNotices {
  // Of the built-in queues, and of custom ones.
  private readonly kinds = ['work_escalations', 'own_escalations'].map((table) => this.noticesOf(table));

  constructor(
    private readonly outbox: MailOutbox,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly settings: Settings,
  ) {}

  /** Sends one notice, and returns whether there was one. */
  async step(): Promise<boolean> {
    for (const notices of this.kinds) {
      if (await this.outbox.send(notices, [this.ids.next('esc'), MOST_ORDERS])) return true;
    }
    return false;
  }

  private noticesOf(name: string): WaitingMails<Announced> {
    return {
      table: {
        name,
        key: ['notice_id'],
        rowKey: ['queue', 'order_id', 'since'],
        leasedUntil: 'notice_until',
        next: nextIn(name),
        // An interrupted notice keeps its id and its orders.
        claimed: 'notice_id = coalesce(mail.notice_id, $3)',
      },
      compose: (orders) => this.written(orders),
      ended: () => ({ sql: `update ${name} set announced_at = $3`, values: [this.clock.iso()] }),
    };
  }

  private written(orders: readonly [Announced, ...Announced[]]): OutgoingMail {
    const [{ notice_id: id, notify: to }] = orders;
    return { id, to, ...escalationMail(orders, this.settings.PUBLIC_URL) };
  }
}

type EscalatedOrder = Pick<Announced, 'queue' | 'name' | 'order_id'>;

/** What it says. @param publicUrl where the console is */
export function escalationMail(
  orders: readonly [EscalatedOrder, ...EscalatedOrder[]],
  publicUrl: string,
): RenderedMail {
  const [{ queue, name: given }] = orders;
  const name = unlinked(given ?? queue.replaceAll('_', ' '));
  const subject =
    orders.length === 1 ? `An order waits too long: ${name}` : `${orders.length} orders wait too long: ${name}`;
  const ids = orders.map(({ order_id: order }) => order).toSorted();
  const links = ids.slice(0, MOST_LISTED).map((order) => `${publicUrl}/orders/${order}`);
  const text = [subject, links.join('\n'), `All of them: ${publicUrl}/work/${queue}?escalated=1`].join('\n\n');
  return { subject, text, html: htmlOf(text) };
}

/** $4: how many orders. */
const nextIn = (table: string) => `
  with first as (
    select notify, queue, notice_id from ${table}
    where notify is not null and announced_at is null and ${isFree('notice_until')}
    order by escalated_at limit 1 for update skip locked)
  select e.queue, e.order_id, e.since, (select q.name from own_queues q where q.id = e.queue) as name
  from ${table} e join first
    on (e.notify, e.queue) = (first.notify, first.queue) and e.notice_id is not distinct from first.notice_id
  where e.announced_at is null and ${isFree('e.notice_until')}
  order by e.escalated_at limit $4 for update of e skip locked`;
