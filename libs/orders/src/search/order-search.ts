import { Injectable } from '@nestjs/common';
import {
  type OrderCount,
  type OrderCountQuery,
  OrderListCursor,
  type OrderEvents,
  type OrderList,
  type OrderListQuery,
} from '../order.contract.js';
import { EventLog } from '#event-store/event-log';
import { orderStream } from '#domain/order-stream';
import { Sealer } from '#base/sealing';
import type { Caller } from '#accounts/caller';
import { cursorAfter, type OrderCursor, type OrderFilter, OrderQueries } from '../order-queries.js';
import { askedFor } from '../asked-for.js';
import { askedBuyers } from '../order-finder.js';
import { parseForeignJson } from '#base/json';
import { HttpError } from '#web/http-error';
import { cursorPage, readCursor } from '#web/cursor-page';
import { accessOf } from '../order-finding.js';
import { OrderView } from '../order-view.js';
import { withoutNotes } from '../staff-remarks.js';

/** Lists orders and the events of one order. */
@Injectable()
export class OrderSearch {
  constructor(
    private readonly orders: OrderQueries,
    private readonly view: OrderView,
    private readonly log: EventLog,
    private readonly sealer: Sealer,
  ) {}

  async page({ sort, limit, cursor, ...filter }: OrderListQuery, caller: Caller): Promise<OrderList> {
    const after = readCursor(cursor, parseCursor);
    const found = await this.orders.list(this.asked(filter, caller), { sort, limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, (last) => cursorOf(cursorAfter(last, sort)));
    return { orders: page.map((order) => this.view.listed(order, caller)), next_cursor };
  }

  async count(filter: OrderCountQuery, caller: Caller): Promise<OrderCount> {
    return { count: await this.orders.count(this.asked(filter, caller)) };
  }

  /** A viewer who could find an order by an e-mail address would learn whose it is. */
  private asked(filter: OrderCountQuery, caller: Caller): OrderFilter {
    const { q } = filter;
    const buyers = askedBuyers(accessOf(caller));
    return {
      ...filter,
      sellers: caller.sellers,
      ...(q !== undefined && { buyers: askedFor(q, buyers, this.sealer).buyers }),
    };
  }

  async events(orderId: string, caller: Caller): Promise<OrderEvents> {
    const found = await this.log.stream(orderStream(orderId));
    if (found.length === 0) throw HttpError.notFound('order');
    const { events } = { events: found } as OrderEvents;
    return { events: withoutNotes(events, caller) };
  }
}

function cursorOf({ at, id }: OrderCursor): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

function parseCursor(text: string): OrderCursor | undefined {
  try {
    const [at, id] = OrderListCursor.parse(parseForeignJson(Buffer.from(text, 'base64url').toString()));
    return { at, id };
  } catch {
    return undefined;
  }
}
