import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingBody } from '#listings/listing.contract';
import { broken, type Json } from './support/broken.js';
import { type Answer, codesOf, PAYMENT, Platform, Staff, WHOLESALE } from './support/callers.js';
import { cardBody, wholesaleBody } from './support/purchase-bodies.js';
import { Stand } from './support/stand/stand.js';

let stand: Stand;

beforeAll(async () => {
  stand = await Stand.start({ database: 'shared', queues: 'postgres', apis: 2, workers: 0 });
});
afterAll(() => stand.close());

/** Uses the api processes in turn. */
const urlOf = (turn: number) => stand.apiUrls[turn % 2] ?? '';

async function atOnce(count: number, ask: (turn: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, turn) => ask(turn)));
}

/** The count of each outcome: 'bought', or the error code. */
function outcomes(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const outcome = answer.status === 201 ? 'bought' : String(codesOf(answer));
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const DOWNLOAD: ListingBody['delivery_methods'] = [{ type: 'download', name: 'E-tickets', cost: 0 }];
const TERMS = { price: 10, fees: 0, wholesale_price: 10, tax_rate: 0, tax_rates: {}, delivery_methods: DOWNLOAD };

/** Buys so many tickets at ten dollars each. Every second purchase is of the payment variant. */
function buyAs(turn: number, listing: string, quantity: number, change: Json = {}): Promise<Answer> {
  const product = { 'product.listing_id': listing, 'product.quantity': quantity, ref_id: undefined };
  const paid = { ...product, 'payment.total': quantity * 10, delivery_method: { type: 'download' }, ...change };
  if (turn % 4 < 2) return new Platform(urlOf(turn), PAYMENT).buy(broken(cardBody(), paid));
  const wholesale = broken(wholesaleBody(), { ...product, 'product.total': quantity * 10, ...change });
  return new Platform(urlOf(turn), WHOLESALE).buy(wholesale);
}

type Stock = Readonly<{ available: number; held: number; in_orders: number; sold: number; pings: number }>;

/** The listing's stock according to its row and to its orders. */
async function stockOf(listing: string): Promise<Stock> {
  const { rows } = await stand.pool.query<Stock>(
    `select available, offered - available as held,
       (select coalesce(sum(stock_held), 0)::int from orders where listing_id = l.id) as in_orders,
       (select count(*)::int from orders where listing_id = l.id and stage = 'placed') as sold,
       (select count(*)::int from pings p join orders o on o.id = p.order_id where o.listing_id = l.id) as pings
     from listings l where id = $1`,
    [listing],
  );
  if (!rows[0]) throw new Error(`There is no listing ${listing}.`);
  return rows[0];
}

describe('fifty buyers at two api processes', () => {
  it.each([1, 2, 3])('get ten tickets and not one more, %i at a time', async (quantity) => {
    const listing = `ten-${quantity}`;
    const sales = Math.floor(10 / quantity);
    await stand.staff.putListing(listing, { ...TERMS, quantity: 10 });
    const {
      bought,
      40011: tooMany = 0,
      40014: soldOut = 0,
      ...others
    } = outcomes(await atOnce(50, (turn) => buyAs(turn, listing, quantity)));
    expect({ bought, refused: tooMany + soldOut, others }).toEqual({ bought: sales, refused: 50 - sales, others: {} });
    const left = 10 - sales * quantity;
    expect(await stockOf(listing)).toEqual({
      available: left,
      held: 10 - left,
      in_orders: 10 - left,
      sold: sales,
      pings: sales,
    });
  });

  it('never leave a single ticket if the seller forbids it', async () => {
    const rule = { ...TERMS, split_rule: 'no_single_left' } as const;
    for (let round = 0; round < 10; round += 1) {
      // Any of them may be first. After that, another one would leave a single ticket.
      await stand.staff.putListing(`three-${round}`, { ...rule, quantity: 3 });
      const answers = await atOnce(4, (turn) => buyAs(turn, `three-${round}`, 1));
      expect(outcomes(answers)).toEqual({ bought: 1, 40011: 3 });
      expect(await stockOf(`three-${round}`)).toMatchObject({ available: 2, held: 1, in_orders: 1 });
    }
    await stand.staff.putListing('mixed', { ...rule, quantity: 30 });
    const mixed = outcomes(await atOnce(50, (turn) => buyAs(turn, 'mixed', 1 + (turn % 3))));
    expect(Object.keys(mixed).filter((outcome) => !['bought', '40011', '40014'].includes(outcome))).toEqual([]);
    const { available, held, in_orders } = await stockOf('mixed');
    expect(available).not.toBe(1);
    expect(held).toBe(in_orders);
  });

  it('buy tickets that are sold together once', async () => {
    await stand.staff.putListing('together', { ...TERMS, quantity: 5, split_rule: 'all_together' });
    const { bought, 40014: soldOut } = outcomes(await atOnce(50, (turn) => buyAs(turn, 'together', 5)));
    expect({ bought, soldOut }).toEqual({ bought: 1, soldOut: 49 });
    expect(await stockOf('together')).toMatchObject({ available: 0, held: 5, in_orders: 5 });
  });

  it('get the tickets that declined payments held for a moment', async () => {
    await stand.staff.putListing('declined', { ...TERMS, quantity: 10 });
    const declined = { 'payment.data.card_number': '4000000000000002' };
    const answers = await atOnce(50, (turn) => {
      return turn % 4 < 2 ? buyAs(turn, 'declined', 1, declined) : buyAs(turn, 'declined', 1);
    });
    const { bought = 0 } = outcomes(answers);
    expect(bought).toBeLessThanOrEqual(10);
    expect(await stockOf('declined')).toMatchObject({ available: 10 - bought, in_orders: bought, sold: bought });
  });

  it('pay the price at the time of the purchase', async () => {
    await stand.staff.putListing('dearer', { ...TERMS, quantity: 60 });
    const rush = atOnce(50, (turn) => buyAs(turn, 'dearer', 1));
    await stand.staff.putListing('dearer', { ...TERMS, price: 20, wholesale_price: 20, quantity: 40 });
    const { bought = 0, 40026: tooLittle = 0, ...others } = outcomes(await rush);
    expect({ all: bought + tooLittle, others }).toEqual({ all: 50, others: {} });
    const { rows } = await stand.pool.query(
      `select distinct data ->> 'listing_version' as version from events
       where type = 'PurchaseReceived' and data -> 'product' ->> 'listing_id' = 'dearer'`,
    );
    expect(rows).toEqual(bought > 0 ? [{ version: '1' }] : []);
    expect(await stockOf('dearer')).toMatchObject({ available: 40, held: bought, in_orders: bought });
  });
});

describe('one purchase sent twenty times at once', () => {
  it.each([0, 2])('is one purchase by its ref_id (client %i)', async (client) => {
    const listing = `ref-${client}`;
    await stand.staff.putListing(listing, { ...TERMS, quantity: 100 });
    const answers = await atOnce(20, (turn) => buyAs(client + (turn % 2), listing, 1, { ref_id: `twenty-${client}` }));
    expect(outcomes(answers)).toEqual({ bought: 1, 40030: 19 });
    expect(await stockOf(listing)).toEqual({ available: 99, held: 1, in_orders: 1, sold: 1, pings: 1 });
  });

  it('is one purchase if transaction id and body are equal', async () => {
    await stand.staff.putListing('tx', { ...TERMS, quantity: 100 });
    const products = { 'product.listing_id': 'tx', 'product.quantity': 1, 'product.total': 10, ref_id: undefined };
    const body = JSON.stringify(broken(wholesaleBody(), products));
    const answers = await atOnce(20, (turn) =>
      new Platform(urlOf(turn), WHOLESALE).buy(body, { 'x-xx-transaction-id': 'tx-twenty' }),
    );
    expect(outcomes(answers)).toEqual({ bought: 1, 40030: 19 });
    expect(await stockOf('tx')).toMatchObject({ available: 99, sold: 1 });
  });

  it('is at most one purchase while others are declined', async () => {
    await stand.staff.putListing('tries', { ...TERMS, quantity: 100 });
    const answers = await atOnce(20, (turn) => {
      const card = turn % 2 === 0 ? { 'payment.data.card_number': '4000000000000002' } : {};
      return buyAs(turn % 2, 'tries', 1, { ref_id: 'tries', ...card });
    });
    const { bought = 0, 40016: declined = 0, 40030: repeated = 0, ...others } = outcomes(answers);
    expect(bought).toBeLessThanOrEqual(1);
    expect({ all: bought + declined + repeated, others }).toEqual({ all: 20, others: {} });
    expect(await stockOf('tries')).toMatchObject({
      available: 100 - bought,
      held: bought,
      sold: bought,
      pings: bought,
    });
  });
});

describe('staff at two api processes who change one order at the same time', () => {
  const placed = async (listing: string) => {
    await stand.staff.putListing(listing, { ...TERMS, quantity: 10 });
    return ((await buyAs(2, listing, 2)).body as { id: string }).id;
  };
  const change = (turn: number, id: string, code: number, version?: number) =>
    new Staff(urlOf(turn)).changeStatus(id, code, version);
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

  it('succeed only once if they send the version they saw', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await placed(`staff-${round}`);
      const answers = await atOnce(2, (turn) => change(turn, id, 2001 + turn * 1000, 2));
      expect(statuses(answers)).toEqual([200, 412]);
      const { body } = await stand.staff.get(`orders/${id}`);
      expect(body).toMatchObject({ version: 3, status_history: { length: 2 }, pings: { length: 2 } });
    }
  });

  it('all succeed in turn if they send no version', async () => {
    const id = await placed('in-turn');
    const answers = await atOnce(3, (turn) => change(turn, id, 4001 + turn));
    expect(statuses(answers)).toEqual([200, 200, 200]);
    const { body } = await stand.staff.get(`orders/${id}`);
    const { status_history: history } = body as { status_history: { status_code: number }[] };
    expect(new Set(history.map(({ status_code }) => status_code))).toEqual(new Set([2000, 4001, 4002, 4003]));
    expect(history).toHaveLength(4);
  });

  it('release the tickets once, whoever rejects', async () => {
    const id = await placed('rejected');
    const answers = await atOnce(20, (turn) => change(turn, id, turn % 2 === 0 ? 3001 : 3002));
    // Others found the order final, or found it changed in all their attempts.
    expect(statuses(answers).filter((status) => ![200, 409, 412].includes(status))).toEqual([]);
    expect(await stockOf('rejected')).toEqual({ available: 10, held: 0, in_orders: 0, sold: 1, pings: 2 });
    const { body } = await stand.staff.get(`orders/${id}`);
    expect(body).toMatchObject({ version: 3, status: { status: 'rejected' } });
  });
});
