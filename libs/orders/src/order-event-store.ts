import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { DatabaseEpoch } from '#database/epoch';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { EventStore } from '#event-store/event-store';
import { LedgerKey } from '#event-store/hash-chain';
import { Ids } from '#base/ids';
import { ORDER_STREAM } from './order-stream.js';

/** Deadlines follow from the times of events, and the worker compares them with the database's time. */
@Injectable()
export class OrderEventStore extends EventStore<Order, OrderEvent> {
  constructor(pool: Pool, clock: DatabaseClock, ids: Ids, epoch: DatabaseEpoch, sealer: Sealer) {
    super(pool, ORDER_STREAM, clock, ids, { epoch, key: new LedgerKey(sealer.ledgerSecret) });
  }
}
