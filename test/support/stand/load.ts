import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, codesOf, PAYMENT, Platform, Staff, WHOLESALE } from '../callers.js';
import { cardBody, tokenBody, wholesaleBody } from '../purchase-bodies.js';
import { until } from '../until.js';
import type { ChangeAttempt, Outcome, PurchaseAttempt } from './history.js';
import { codesOfHistory } from './platform-double.js';

type Body = ReturnType<typeof wholesaleBody> | ReturnType<typeof cardBody> | ReturnType<typeof tokenBody>;
type Sale = Readonly<{ body: () => Body; expectedTo: PurchaseAttempt['expectedTo'] }>;

// The purchases of the buyers, in turn. Most are meant to succeed.
const SALES: readonly Sale[] = [
  { body: wholesaleBody, expectedTo: 'succeed' },
  { body: cardBody, expectedTo: 'succeed' },
  { body: wholesaleBody, expectedTo: 'succeed' },
  { body: () => withCard('4000000000000002'), expectedTo: 'be refused' },
  { body: tokenBody, expectedTo: 'succeed' },
  { body: wholesaleBody, expectedTo: 'succeed' },
  { body: () => withTotal(17), expectedTo: 'be refused' },
  { body: cardBody, expectedTo: 'succeed' },
  { body: wholesaleBody, expectedTo: 'succeed' },
  { body: () => withCard('4000000000000119'), expectedTo: 'fail' },
];

/** The statuses that staff set, by the first status of an order. The lists are used in turn. */
const STATUS_CHANGES: Readonly<Record<number, readonly (readonly number[])[]>> = {
  1001: [[2000, 2001], [3004], [1002, 2000]],
  2000: [[2001, 2002], [4006, 2000, 2001], [], [3002]],
};

type LoadOptions = Readonly<{
  /** Used in turn. The test may change them meanwhile. */
  apis: readonly string[];
  /** If left out, both variants. */
  variant?: 'wholesale';
  buyers?: number;
}>;

const BUYERS = 4;
const STAFF = 2;

// The pause between two requests of one buyer: short while a test waits for them. At other times, for example while a service starts,
// they would only take the processor from what the test waits for.
const PAUSE_MS = 120;
const QUIET_PAUSE_MS = 500;
const QUANTITY = 2;

/** Buyers and staff who work until they are stopped. Keeps all answers. */
export class Load {
  readonly prefix = `load-${randomBytes(3).toString('hex')}-`;
  readonly purchases: PurchaseAttempt[] = [];
  readonly changes: ChangeAttempt[] = [];
  readonly listings: readonly { id: string; offered: number }[];
  private readonly unprocessed: { orderId: string; code: number }[] = [];
  private readonly people: Promise<void>[] = [];
  private stopped = false;
  private waiting = 0;

  private constructor(private readonly options: LoadOptions) {
    // Some of them sell out.
    const offered = [50_000, 20, 50_000, 50_000, 12, 50_000, 50_000, 30];
    this.listings = offered.map((quantity, index) => ({ id: `${this.prefix}listing-${index}`, offered: quantity }));
  }

  static async start(options: LoadOptions): Promise<Load> {
    const load = new Load(options);
    const staff = new Staff(options.apis[0] ?? '');
    for (const [index, { id, offered: quantity }] of load.listings.entries()) {
      await staff.putListing(id, { quantity, confirmation: index % 4 === 2 ? 'manual' : 'automatic' });
    }
    for (let number = 0; number < load.buyers; number += 1) load.people.push(load.buy(number));
    for (let number = 0; number < STAFF; number += 1) load.people.push(load.changeOrders(number));
    return load;
  }

  private get buyers(): number {
    return this.options.buyers ?? BUYERS;
  }

  get acknowledged(): number {
    return this.purchases.filter(({ outcome }) => outcome.is === 'acknowledged').length;
  }

  /** Waits for so many more acknowledged purchases. */
  async waitForPurchases(more = 20): Promise<void> {
    const wanted = this.acknowledged + more;
    await this.atFullSpeed(() => until(() => this.acknowledged >= wanted, { withinMs: 60_000 }));
  }

  /** Purchases with unknown outcome, except those that are meant to fail. */
  get cut(): PurchaseAttempt[] {
    return this.purchases.filter(({ outcome, expectedTo }) => outcome.is === 'cut' && expectedTo !== 'fail');
  }

  /** Waits for so many more cut purchases. */
  async waitForCuts(more = 1): Promise<void> {
    const wanted = this.cut.length + more;
    await this.atFullSpeed(() => until(() => this.cut.length >= wanted, { withinMs: 30_000 }));
  }

  /** People make only short pauses while `work` lasts. */
  async atFullSpeed<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    return await work().finally(() => (this.waiting -= 1));
  }

  private async rest(): Promise<void> {
    await pause(this.waiting > 0 ? PAUSE_MS : QUIET_PAUSE_MS);
  }

  /** Sends no new requests, and waits for the current ones. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.people);
  }

  private async buy(buyer: number): Promise<void> {
    const sales = SALES.filter(({ body }) => this.options.variant !== 'wholesale' || !('payment' in body()));
    for (let turn = buyer; !this.stopped; turn += this.buyers) {
      // Shift by the round, so that each sale meets each listing and each api.
      const round = Math.floor(turn / sales.length);
      const { body, expectedTo } = sales[turn % sales.length] as Sale;
      const listingId = this.listings[(turn + round) % this.listings.length]?.id ?? '';
      const refId = `${this.prefix}${turn}`;
      const sent = body();
      sent.ref_id = refId;
      sent.product.listing_id = listingId;
      const client = 'payment' in sent ? PAYMENT : WHOLESALE;
      const platform = new Platform(this.api(turn + round), client);
      const headers = { 'x-xx-transaction-id': `${refId}-bought` };
      const outcome = outcomeOf(await platform.buy(sent, headers).catch(() => undefined));
      this.purchases.push({ refId, variant: client.variant, listingId, quantity: QUANTITY, expectedTo, outcome });
      if (outcome.is === 'acknowledged')
        this.unprocessed.push({ orderId: outcome.orderId, code: outcome.codes[0] ?? 0 });
      await this.rest();
    }
  }

  private async changeOrders(member: number): Promise<void> {
    for (let turn = member; !this.stopped; turn += 1) {
      const order = this.unprocessed.shift();
      const sequences = STATUS_CHANGES[order?.code ?? 0] ?? [];
      if (order) await this.changeStatuses(order.orderId, sequences[turn % sequences.length] ?? [], turn);
      await this.rest();
    }
  }

  /** Sets these statuses until one is not acknowledged. */
  private async changeStatuses(orderId: string, statusCodes: readonly number[], turn: number): Promise<void> {
    for (const statusCode of statusCodes) {
      const headers = { 'x-xx-transaction-id': `${orderId}-made-${statusCode}` };
      const change = { status_code: statusCode };
      const answer = await new Staff(this.api(turn))
        .send('POST', `orders/${orderId}/status`, change, headers)
        .catch(() => undefined);
      const outcome = changeOutcome(answer);
      this.changes.push({ orderId, statusCode, outcome });
      if (outcome !== 'acknowledged') return;
    }
  }

  private api(turn: number): string {
    return this.options.apis[turn % this.options.apis.length] ?? '';
  }
}

function withCard(number: string): Body {
  const body = cardBody();
  body.payment.data.card_number = number;
  return body;
}

function withTotal(total: number): Body {
  const body = wholesaleBody();
  body.product.total = total;
  return body;
}

function outcomeOf(answer: Answer | undefined): Outcome {
  if (!answer || answer.status >= 500) return { is: 'cut', status: answer?.status ?? null };
  if (answer.status !== 201) return { is: 'refused', status: answer.status, codes: codesOf(answer) };
  const { id } = answer.body as { id: string };
  return { is: 'acknowledged', orderId: id, codes: codesOfHistory(answer.body) };
}

function changeOutcome(answer: Answer | undefined): ChangeAttempt['outcome'] {
  if (!answer || answer.status >= 500) return 'cut';
  return answer.status === 200 ? 'acknowledged' : 'refused';
}
