import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Ids } from '#base/ids';
import { DatabaseClock } from '#database/database-clock';
import { type MoneyEvent, moneyFold, type MoneyStream } from '#domain/money-events';
import { EventStore } from '#event-store/event-store';
import { KeyedLog } from '#event-store/keyed-log';
import type { StreamDefinition } from '#event-store/stream-definition';
import { moneyLedgerProjection } from '#orders/ledger-entries.projection';

export const MONEY_STREAM: StreamDefinition<MoneyStream, MoneyEvent> = {
  ...moneyFold,
  projections: [moneyLedgerProjection],
};

/** The streams of money that belongs to no order: payouts of providers, and payments to sellers. */
@Injectable()
export class MoneyEventStore extends EventStore<MoneyStream, MoneyEvent> {
  constructor(pool: Pool, clock: DatabaseClock, ids: Ids, log: KeyedLog) {
    super(pool, MONEY_STREAM, clock, ids, log);
  }
}
