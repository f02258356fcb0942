import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DatabaseClock } from '#database/database-clock';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { EventStore } from '#event-store/event-store';
import { KeyedLog } from '#event-store/keyed-log';
import { Ids } from '#base/ids';
import { ORDER_STREAM } from './order-stream.js';

/** Deadlines follow from the times of events, and the worker compares them with the database's time. */
@Injectable()
export class OrderEventStore extends EventStore<Order, OrderEvent> {
  constructor(pool: Pool, clock: DatabaseClock, ids: Ids, log: KeyedLog) {
    super(pool, ORDER_STREAM, clock, ids, log);
  }
}
