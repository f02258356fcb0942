import { Injectable } from '@nestjs/common';
import type { OrderCount, OrderCountQuery, OrderEvents, OrderList, OrderListQuery } from '../order.contract.js';
import { EventLog } from '#event-store/event-log';
import { orderStream } from '#domain/order-stream';
import type { Caller } from '#accounts/caller';
import { HttpError } from '#web/http-error';
import { OrderFinding } from '../order-finding.js';
import { listQuestion } from '../order-list.js';
import { withoutNotes } from '../staff-remarks.js';

/** Lists orders by filters, and the events of one order. */
@Injectable()
export class OrderSearch {
  constructor(
    private readonly finding: OrderFinding,
    private readonly log: EventLog,
  ) {}

  async page({ sort, limit, cursor, ...filter }: OrderListQuery, caller: Caller): Promise<OrderList> {
    return await this.finding.page(listQuestion(filter, sort), { limit, cursor }, caller);
  }

  async count(filter: OrderCountQuery, caller: Caller): Promise<OrderCount> {
    return { count: await this.finding.count(listQuestion(filter, 'placed_at.desc'), caller) };
  }

  async events(orderId: string, caller: Caller): Promise<OrderEvents> {
    const found = await this.log.stream(orderStream(orderId));
    if (found.length === 0) throw HttpError.notFound('order');
    const { events } = { events: found } as OrderEvents;
    return { events: withoutNotes(events, caller) };
  }
}
