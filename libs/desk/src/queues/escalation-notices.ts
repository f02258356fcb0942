import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { unlinked } from '#fulfilment/unlinked';
import { htmlOf } from '#fulfilment/mail-templates';
import type { RenderedMail } from '#platform/mail-transport';
import { MAIL_LEASE_MS, MailRefused, MailTransport } from '#platform/mail-transport';

// Of the built-in queues, and of one's own.
const TABLES = ['work_escalations', 'own_escalations'] as const;

type Notice = Readonly<{
  table: (typeof TABLES)[number];
  id: string;
  notify: string;
  queue: string;
  /** How the mail calls the queue. */
  name: string;
  orders: readonly string[];
  /** The end of the lease, which is its fence: a later lease ends later. */
  until: string;
}>;

type Leased = Readonly<{ notice_id: string; notify: string; queue: string; name: string | null; order_id: string }>;

const MOST_ORDERS = 500;
const MOST_LISTED = 50;

/** Announces escalated orders by e-mail: one for each address, queue and moment, not one for each order. */
@Injectable()
export class EscalationNotices {
  constructor(
    private readonly pool: Pool,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly settings: Settings,
    private readonly transport: MailTransport,
  ) {}

  /** Sends one notice, and returns whether there was one. Throws what the mail server says; then it is tried again after two minutes. */
  async step(): Promise<boolean> {
    const notice = await this.lease();
    if (!notice) return false;
    try {
      await this.transport.send({ id: notice.id, to: notice.notify, ...this.written(notice) });
    } catch (error) {
      // The server will never take it.
      if (error instanceof MailRefused) await this.end(notice);
      throw error;
    }
    await this.end(notice);
    return true;
  }

  private async lease(): Promise<Notice | undefined> {
    const now = this.clock.now();
    const at = new Date(now).toISOString();
    const until = new Date(now + MAIL_LEASE_MS).toISOString();
    for (const table of TABLES) {
      const { rows } = await this.pool.query<Leased>(leaseFrom(table), [at, until, this.ids.next('esc'), MOST_ORDERS]);
      const [first] = rows;
      if (!first) continue;
      const { notice_id: id, notify, queue, name } = first;
      const orders = rows.map(({ order_id: order }) => order).toSorted();
      return { table, id, notify, queue, name: name ?? queue.replaceAll('_', ' '), orders, until };
    }
    return undefined;
  }

  /** Does nothing if another process has the notice now. */
  private async end({ table, id, until }: Notice): Promise<void> {
    const ended = `update ${table} set announced_at = $2 where notice_id = $1 and notice_until = $3::timestamptz`;
    await this.pool.query(ended, [id, this.clock.iso(), until]);
  }

  private written({ queue, name: given, orders }: Notice): RenderedMail {
    const { PUBLIC_URL } = this.settings;
    const name = unlinked(given);
    const subject =
      orders.length === 1 ? `An order waits too long: ${name}` : `${orders.length} orders wait too long: ${name}`;
    const links = orders.slice(0, MOST_LISTED).map((id) => `${PUBLIC_URL}/orders/${id}`);
    const text = [subject, links.join('\n'), `All of them: ${PUBLIC_URL}/work/${queue}?escalated=1`].join('\n\n');
    return { subject, text, html: htmlOf(text) };
  }
}

/** $1: now, $2: the end of the lease, $3: an id for a new notice, $4: how many orders. An interrupted notice keeps its id and its orders. */
const leaseFrom = (table: Notice['table']) => `
  with first as (
    select notify, queue, notice_id from ${table}
    where notify is not null and announced_at is null and (notice_until is null or notice_until <= $1::timestamptz)
    order by escalated_at limit 1 for update skip locked),
  chosen as (
    select e.queue, e.order_id, e.since from ${table} e join first
      on (e.notify, e.queue) = (first.notify, first.queue) and e.notice_id is not distinct from first.notice_id
    where e.announced_at is null and (e.notice_until is null or e.notice_until <= $1::timestamptz)
    order by e.escalated_at limit $4 for update of e skip locked)
  update ${table} e set notice_id = coalesce(e.notice_id, $3), notice_until = $2::timestamptz
  from chosen where (e.queue, e.order_id, e.since) = (chosen.queue, chosen.order_id, chosen.since)
  returning e.notice_id, e.notify, e.queue, (select q.name from own_queues q where q.id = e.queue) as name, e.order_id`;
