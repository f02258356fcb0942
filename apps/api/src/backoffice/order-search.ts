import { Injectable } from '@nestjs/common';
import { OrderListCursor, type OrderEvents, type OrderList, type OrderListQuery } from '#contracts/backoffice/order';
import { EventLog } from '#event-store/event-log';
import { orderStream } from '#ordering/order-changes';
import { Sealer } from '#platform-auth/sealing';
import { type OrderCursor, OrderQueries } from '#projections/order-queries';
import { Refused } from '../http/refused.js';
import { OrderView } from './order-view.js';

/** Lists of orders and the events of one. */
@Injectable()
export class OrderSearch {
  constructor(
    private readonly orders: OrderQueries,
    private readonly view: OrderView,
    private readonly log: EventLog,
    private readonly sealer: Sealer,
  ) {}

  async page({ sort, limit, cursor, ...filter }: OrderListQuery): Promise<OrderList> {
    const emailDigest = filter.q?.includes('@') ? this.sealer.emailDigest(filter.q) : undefined;
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    // One more than asked for tells whether there is a next page.
    const found = await this.orders.list({ ...filter, emailDigest }, { sort, limit: limit + 1, after });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const at = sort.startsWith('placed_at') ? last?.placed_at : last?.updated_at;
    const more = found.length > limit && last && at;
    return {
      orders: page.map((order) => this.view.listed(order)),
      next_cursor: more ? cursorOf({ at: at.toISOString(), id: last.id }) : null,
    };
  }

  async events(orderId: string): Promise<OrderEvents> {
    const events = await this.log.stream(orderStream(orderId));
    if (events.length === 0) throw Refused.with(40400, 'there is no such order');
    return { events } as OrderEvents;
  }
}

function cursorOf({ at, id }: OrderCursor): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

function parseCursor(text: string): OrderCursor {
  try {
    const [at, id] = OrderListCursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { at, id };
  } catch {
    throw Refused.with(40001, 'cursor must be the next_cursor of an earlier page');
  }
}
