import type { Pool, PoolClient } from 'pg';
import { parseSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import type { Variant } from '#orders/validate-purchase.contract';
import type { Sealer } from '#base/sealing';
import type { PaymentOutcome } from '#domain/payments';
import { orderStream } from '#domain/order-stream';
import { LedgerKey } from '#event-store/hash-chain';
import { SystemRandomness } from '#base/randomness';
import type { SeededRandomness } from '#base/seeded-randomness';
import { CardDataPolicy } from '#orders/card-data-policy';
import { knownOrder, OrderRules } from '#orders/order-changes';
import { PurchaseCheck } from '#orders/purchase-check';
import { PurchaseDrafts } from '#orders/purchase-drafts';
import { PurchaseKeys } from '#orders/purchase-keys';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { OrderDesk } from '#orders/order-desk';
import { OrderNotes } from '#orders/order-notes';
import type { Listings } from '#listings/listings';
import { sampleTransactionId } from '#listings/sample-ids';
import { SampleLog } from './sample/sample-log.js';
import type { PlannedOrder } from './sample/sample-plan.js';
import { SampleOrder } from './sample/sample-order.js';
import { samplePurchase } from './sample/sample-purchase.js';
import { paymentReference, SampleRecords } from './sample/sample-records.js';
import { nextPaymentStep } from '#domain/payment-steps';
import { sampleActor, sampleColleague, sampleCommand, sampleMoney } from './sample-steps.js';
import type { SampleStep } from './sample/sample-stories.data.js';
import { SampleClock, SampleIds } from './sample/sample-times.js';

const NOTE_EVERY_MS = 180_000;
// As long as the sandbox holds a payment.
const HELD_FOR_MS = 7 * 86_400_000;

/** Whose purchases they are, and what encrypts their buyers. */
export type SampleClient = Readonly<{ clientId: string; variant: Variant; sealer: Sealer; settings: Settings }>;

type Moment = Readonly<{ at: number; happens: () => Promise<unknown> }>;

/** Places the planned orders and takes their planned steps, within one transaction. */
export class SampleSales {
  private readonly pool: Pool;
  private readonly clock = new SampleClock();
  private readonly ids = new SampleIds(this.clock, new SystemRandomness());
  private readonly records: SampleRecords;
  private readonly policy: CardDataPolicy;

  constructor(
    private readonly connection: PoolClient,
    private readonly listings: Listings,
    private readonly client: SampleClient,
    private readonly random: SeededRandomness,
  ) {
    // Its receivers only call `query`, which a connection has too.
    this.pool = connection as unknown as Pool;
    this.records = new SampleRecords(random);
    this.policy = new CardDataPolicy(client.settings);
  }

  /** In the order of time, as the feed would have got them. */
  async run(orders: readonly PlannedOrder[]): Promise<void> {
    const store = new SampleLog(this.pool, this.clock, this.ids, new LedgerKey(this.client.sealer.ledgerSecret));
    const rules = new OrderRules(loadStatusCatalogue(this.client.settings.STATUS_CATALOGUE_FILE));
    const placed = orders.map((planned) => new SampleOrder(planned, store, rules));
    await this.live(placed.flatMap((order) => this.momentsOf(order)));
    await store.flush(this.connection);
    // Notes are sealed under the orders' keys, which are in the database now.
    await this.live(placed.flatMap((order) => this.remarksOn(order)));
    for (const { stream } of placed) this.records.payment(stream.name, knownOrder(stream));
    await this.records.write(this.connection);
  }

  private async live(moments: readonly Moment[]): Promise<void> {
    for (const { at, happens } of moments.toSorted((a, b) => a.at - b.at)) {
      this.clock.set(at);
      await happens();
    }
  }

  private momentsOf(order: SampleOrder): Moment[] {
    const { planned } = order;
    return [
      { at: planned.placedAt, happens: () => this.place(order) },
      ...planned.steps.map(({ at, step }) => ({ at, happens: () => this.take(order, step) })),
    ];
  }

  private remarksOn(order: SampleOrder): Moment[] {
    const { planned } = order;
    const { notes = [], tag } = planned.story;
    const end = planned.steps.at(-1)?.at ?? planned.placedAt + 1_000;
    return [
      ...notes.map((text, index) => ({ at: end + (index + 1) * NOTE_EVERY_MS, happens: () => this.note(order, text) })),
      ...(tag === undefined ? [] : [{ at: end, happens: () => this.tag(order, tag) }]),
    ];
  }

  private async place(order: SampleOrder): Promise<void> {
    const { planned } = order;
    const { clientId, variant, sealer } = this.client;
    const listing = this.listings.cached(planned.listingId);
    if (!listing) throw new Error(`The sample has no listing ${planned.listingId}.`);
    const metadata = { transaction_id: sampleTransactionId(this.ids.next('req')), actor: `platform:${clientId}` };
    const submission = {
      clientId,
      transaction: { id: metadata.transaction_id, ours: false },
      rawBody: Buffer.alloc(0),
    };
    const check = new PurchaseCheck(this.listings, new PurchaseKeys(this.pool), this.clock, this.policy);
    const checked = await check.check(variant, samplePurchase(variant, planned, listing, this.random), submission);
    // The drafts read only the total from which an order is held for review.
    const reviewed = parseSettings(planned.story.held ? { REVIEW_TOTAL_FROM: '0' } : {});
    const drafts = new PurchaseDrafts(this.ids, sealer, reviewed);
    const { orderId, received, attachments } = drafts.draft(checked, submission);
    const { declined = false } = planned.story;
    this.records.purchase(planned.placedAt, metadata, declined);
    await order.open(orderId, { type: 'ReceivePurchase', purchase: received }, metadata, attachments);
    if (!received.payment) return;
    this.clock.set(planned.placedAt + 150 + this.random.integer(600));
    const reference = paymentReference(orderStream(orderId));
    const capture_before = new Date(planned.placedAt + HELD_FOR_MS).toISOString();
    const outcome: PaymentOutcome = declined
      ? { is: 'declined', provider: 'sandbox', reason: 'declined by the sandbox' }
      : { is: 'authorised', provider: 'sandbox', reference, amount_cents: received.total_cents, capture_before };
    await order.apply({ type: 'RecordPaymentOutcome', outcome, platformWaits: true }, metadata);
    await this.settle(order);
  }

  private async take(order: SampleOrder, [, by, does, note]: SampleStep): Promise<void> {
    const metadata = { transaction_id: this.ids.next('req'), actor: sampleActor(by, this.random) };
    this.records.change(this.clock.now(), metadata, order.stream.name, does);
    await order.apply(sampleCommand(does, note, order.stream.state, this.random), metadata);
    await this.settle(order);
  }

  /** As the worker would, a few seconds later. */
  private async settle(order: SampleOrder): Promise<void> {
    for (;;) {
      const step = order.stream.state.known ? nextPaymentStep(order.stream.state) : null;
      const command = step && sampleMoney(step, knownOrder(order.stream), this.ids.next('rf'));
      if (!command) return;
      this.clock.set(this.clock.now() + 1_000 + this.random.integer(2_000));
      await order.apply(command, { transaction_id: this.ids.next('req'), actor: `system:${step.step}` });
    }
  }

  private async note(order: SampleOrder, text: string): Promise<void> {
    const notes = new OrderNotes(this.pool, this.clock, this.ids, this.client.sealer, this.policy);
    await notes.add(order.id, { author: sampleColleague(this.random), visibility: 'internal', text });
  }

  private async tag(order: SampleOrder, tag: string): Promise<void> {
    await new OrderDesk(this.pool, this.clock).setTags(order.id, [tag]);
  }
}
