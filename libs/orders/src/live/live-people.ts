import type { Writable } from 'node:stream';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { inboxSince } from '#accounts/inbox';
import type { Clock } from '#base/clock';
import { Repeater } from '#base/repeater';
import { DatabaseClock } from '#database/database-clock';
import { seesOrder, type SeenSellers } from '#domain/order-access';
import { errorFields, Logger } from '#platform/logger';
import { OrderPresences, type Arrival } from '../presence/order-presences.js';

export type LivePeopleReader = Readonly<{ sink: Writable; sellers: SeenSellers; actor: string }>;

// All readers of a process share the two queries.
const READ_EVERY_MS = 1_000;
// What a transaction writes is seen some time after it read the clock.
const LOOK_BACK_MS = 10_000;

/** Tells connected consoles who has come to an order, and that somebody has a new notice. Who misses it finds out by asking. */
@Injectable()
export class LivePeople implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly readers = new Set<LivePeopleReader>();
  private readonly tail = new Repeater(
    () => this.read(),
    { everyMs: READ_EVERY_MS },
    (error) => this.logger.warn(errorFields(error), 'the live news of people failed'),
  );
  /** Told of before. To hear twice of the last seconds does no harm: it only makes a page ask. */
  private told: ReadonlySet<string> = new Set();
  private isStarted = false;
  private stopped: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly presences: OrderPresences,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  beforeApplicationShutdown(): void {
    this.stopped = this.tail.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  /** Writes to the sink until somebody else ends it. */
  serve(reader: LivePeopleReader): void {
    reader.sink.once('close', () => this.readers.delete(reader));
    this.readers.add(reader);
    if (this.isStarted) return;
    this.isStarted = true;
    this.tail.start();
  }

  private async read(): Promise<void> {
    if (this.readers.size === 0) return;
    const since = new Date(this.clock.now() - LOOK_BACK_MS);
    const [arrivals, notices] = await Promise.all([this.presences.arrivedSince(since), inboxSince(this.pool, since)]);
    const { told } = this;
    this.told = new Set([...arrivals.map(keyOf), ...notices.map(({ id }) => id)]);
    const arrived = arrivals.filter((arrival) => !told.has(keyOf(arrival)));
    const actors = new Set(notices.filter(({ id }) => !told.has(id)).map(({ actor }) => actor));
    if (arrived.length === 0 && actors.size === 0) return;
    for (const { sink, sellers, actor } of this.readers) {
      const orders = arrived.filter((order) => seesOrder(sellers, order)).map(({ order_id: id }) => id);
      if (orders.length === 0 && !actors.has(actor)) continue;
      const data = JSON.stringify({ orders: [...new Set(orders)], inbox: actors.has(actor) });
      if (sink.writable) sink.write(`event: people\ndata: ${data}\n\n`);
    }
  }
}

const keyOf = ({ order_id: order, operator_id: operator, since }: Arrival) =>
  `${order} ${operator} ${since.toISOString()}`;
