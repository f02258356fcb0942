import { isPaymentEventType } from '#domain/payment-events';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Transaction } from './transaction.contract.js';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { RecordedEvent } from '#event-store/event';
import { EventStore } from '#event-store/event-store';
import { EventNotes } from '#orders/event-notes';
import { type RecordedRequest, RecordedRequests } from '#platform/recorded-requests';
import { PingQueries } from '#outbound/ping-queries';
import { eventEntry } from './event-entries.js';

type NotedEvent = Readonly<{ event: RecordedEvent<OrderEvent>; note: string | undefined }>;

const ORDER_ID = /ord_[0-9a-f]+/g;

/** Finds what a transaction id stands for. Events have no index on it, so orders are found through requests and purchases. */
@Injectable()
export class Transactions {
  constructor(
    private readonly pool: Pool,
    private readonly requests: RecordedRequests,
    private readonly store: EventStore<Order, OrderEvent>,
    private readonly pings: PingQueries,
    private readonly notes: EventNotes,
  ) {}

  /** Undefined for an unknown id. The pings have the platform's answers for people who may read deliveries. */
  async find(id: string, mayReadDelivery: boolean): Promise<Transaction | undefined> {
    const recorded = await this.requests.of(id);
    const requests = recorded.map(withoutId);
    const { rows } = await this.pool.query<{ id: string }>(PURCHASES, [id]);
    // Ids of Willcall's own steps contain the order's id. Requests of staff have it in their path.
    const named = [id, ...requests.map(({ path }) => path)].flatMap((text) => text.match(ORDER_ID) ?? []);
    const orders = [...new Set([...rows.map((row) => row.id), ...named])];
    const caused = (await Promise.all(orders.map((order) => this.causedIn(order, id)))).flat();
    if (requests.length === 0 && caused.length === 0) return undefined;
    const events = caused.map(({ event, note }) => shownEvent(event, note));
    const pings = (
      await Promise.all(
        orders.map((order) => (mayReadDelivery ? this.pings.answered(order) : this.pings.ofOrder(order))),
      )
    ).flat();
    return {
      request: requests[0] ?? null,
      requests,
      commands: commandsOf(caused.map(({ event }) => event)),
      events,
      payments: events.filter(({ type }) => isPaymentEventType(type)),
      pings: pings.filter((ping) => ping.transaction_id === id),
    };
  }

  private async causedIn(orderId: string, id: string): Promise<NotedEvent[]> {
    const { events } = await this.store.read(orderStream(orderId));
    const caused = events.filter(({ metadata }) => metadata.transaction_id === id);
    // The whole stream says which notes were erased later.
    const notes = caused.length > 0 ? await this.notes.ofStream(events) : undefined;
    return caused.map((event) => ({ event, note: notes?.get(event.position) }));
  }
}

const PURCHASES =
  'select id from orders where left(transaction_id, 200) = left($1, 200) and transaction_id = $1 limit 20';

function withoutId(recorded: RecordedRequest): NonNullable<Transaction['request']> {
  const { transaction_id: _, ...request } = recorded;
  return request;
}

function orderOf({ stream }: RecordedEvent): string {
  return stream.slice(orderStream('').length);
}

function shownEvent(event: RecordedEvent<OrderEvent>, note: string | undefined): Transaction['events'][number] {
  const { at, title, actor, detail } = eventEntry(event, note);
  return { order_id: orderOf(event), version: event.position, at, type: event.type, title, actor, detail };
}

/** All events of one command have the same time. */
function commandsOf(events: readonly RecordedEvent<OrderEvent>[]): Transaction['commands'] {
  const commands = new Map<string, Transaction['commands'][number]>();
  for (const event of events) {
    const key = `${event.stream} ${event.recorded_at} ${event.metadata.actor}`;
    const versions = [...(commands.get(key)?.versions ?? []), event.position];
    commands.set(key, { order_id: orderOf(event), actor: event.metadata.actor, at: event.recorded_at, versions });
  }
  return [...commands.values()];
}
