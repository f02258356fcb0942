import type { Pool } from 'pg';
import type { LedgerKey } from '#event-store/hash-chain';
import { DomainError } from '#domain/domain-error';
import type { OrderCommand } from '#domain/order';
import type { OrderEvent } from '#domain/order-events';
import type { Order } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { EventStore, VersionConflict, ProjectionConflict } from '#event-store/event-store';
import { NO_BUYER_DIGESTS } from '#orders/buyer-digests';
import { OrderRules } from '#orders/order-changes';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { Listings } from '#listings/listings';
import { ORDER_STREAM } from '#orders/order-stream';
import { TimeOrderedIds } from '#base/ids';
import type { SeededRandomness } from '#base/seeded-randomness';
import { FixedClock } from '../fixed-clock.js';
import { listingBody } from '../listing-body.js';
import { type Offer, randomChoice, randomCommand, randomDispute, randomPurchase } from './random-orders.js';

const LISTINGS = 5;
// Few enough that some purchases find no tickets.
const TICKETS = 40;
// Few enough that ref_ids repeat, including those of failed attempts.
const REF_IDS = 400;

/** Random orders in the real event store with all its writers. The same seed gives the same orders. Without a key they are as in earlier releases. */
export class LiveOrders {
  readonly #rules = new OrderRules(loadStatusCatalogue());
  readonly #clock = new FixedClock('2026-03-01T10:00:00.000Z');
  readonly #ids = new TimeOrderedIds();
  readonly #store: EventStore<Order, OrderEvent>;
  readonly #listings: Listings;
  readonly #open: string[] = [];

  constructor(
    pool: Pool,
    private readonly random: SeededRandomness,
    key?: LedgerKey,
  ) {
    this.#store = new EventStore(pool, ORDER_STREAM, this.#clock, this.#ids, key && { key });
    this.#listings = new Listings(pool, this.#clock);
  }

  /** Does so many steps. Each is a purchase, a change of an order, or a seller's change. */
  async live(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) await this.step();
  }

  /** Each is about one order, and many are refused or do not fit it. */
  async dispute(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) await this.change(this.random.pick(this.#open), randomDispute);
  }

  async choose(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) await this.change(this.random.pick(this.#open), randomChoice);
  }

  async step(): Promise<void> {
    this.#clock.advance(this.random.integer(5_000));
    const listing = `listing-${this.random.integer(LISTINGS)}`;
    const what = this.random.fraction();
    if (what < 0.05) await this.#listings.put(listing, listingBody({ quantity: this.random.integer(TICKETS) }));
    else if (what < 0.4 || this.#open.length === 0) await this.buy(listing);
    else await this.change(this.random.pick(this.#open), randomCommand);
  }

  private async buy(listingId: string): Promise<void> {
    const { version, eventId } =
      (await this.#listings.find(listingId)) ??
      (await this.#listings.put(listingId, listingBody({ quantity: TICKETS })));
    const offer: Offer = { listingId, eventId, version };
    const purchase = randomPurchase(this.random, offer, this.random.integer(REF_IDS));
    const stream = this.#store.fresh(orderStream(this.#ids.next('ord')));
    const personalDataKey = {
      key: this.random.bytes(32),
      digests: { ...NO_BUYER_DIGESTS, email: this.random.bytes(32) },
    };
    const attachments = purchase.personal === null ? {} : { personalDataKey };
    const command = { type: 'ReceivePurchase', purchase } as const;
    const decided = this.#rules.decide(command, stream.state);
    if (decided instanceof Error) throw decided;
    const metadata = { transaction_id: `tx-${this.random.integer(1e6)}`, actor: `platform:${purchase.client_id}` };
    try {
      await this.#store.append(stream, decided, { metadata, attachments });
      this.#open.push(stream.name);
    } catch (error) {
      if (!(error instanceof ProjectionConflict)) throw error;
    }
  }

  private async change(stream: string, commandFor: typeof randomCommand): Promise<void> {
    const { state: order } = await this.#store.read(stream);
    const command: OrderCommand | undefined = order.known ? commandFor(this.random, order) : undefined;
    if (!command) return;
    const metadata = { transaction_id: `tx-${this.random.integer(1e6)}`, actor: 'staff:administrator' };
    const decide = (current: Order) => this.#rules.decide(command, current);
    await this.#store.handle(stream, decide, { metadata }).catch((error: unknown) => {
      if (!(error instanceof DomainError) && !(error instanceof VersionConflict)) throw error;
    });
  }
}
