import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ORDER_FIELDS, type OrderField } from './order-condition.contract.js';
import { ORDER_SEARCH_SORTS, OrderSearchRequest } from './order-search.contract.js';
import { Sealer } from '#base/sealing';
import { type AskedOrder, seesOrder } from '#domain/order-access';
import { SeededRandomness } from '#base/seeded-randomness';
import { cases } from '../../../test/support/cases.js';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { askedDigests, buyerDigests } from './buyer-digests.js';
import { type Facts, matcherOf } from './screening/condition-match.js';
import { OrderFinder, type SearchPosition } from './order-finder.js';

const ORDERS = 150;
const TREES = cases(300);
const NOW = '2026-06-01T00:00:00.000Z';
const SEED = 20_261_122;

/** An order as the test thinks of it: the value of each field, several for those of which an order can have several. */
type Model = Readonly<Record<Exclude<OrderField, 'tag' | 'has' | PersonalName>, string | number | boolean | null>> &
  Readonly<Record<PersonalName, readonly string[]>> &
  Readonly<{ tag: readonly string[]; has: readonly string[] }>;
type PersonalName = 'email' | 'phone' | 'last_name';
type Condition = { and: Condition[] } | { or: Condition[] } | { not: Condition } | Comparison;
type Comparison = { field: OrderField; op: string; value?: unknown };
const random = new SeededRandomness(SEED);
const maybe = <T>(value: T, share = 0.6): T | null => (random.fraction() < share ? value : null);
const some = <T>(values: readonly T[]): T[] => values.filter(() => random.fraction() < 0.3);
const instant = () => new Date(Date.parse(NOW) + (random.integer(9) - 4) * 86_400_000).toISOString();
// Few values, so that conditions often hold; some of them are patterns of LIKE, and prefixes of others.
const WORDS = ['a', 'ab', 'a%', 'a_b', 'b\\', 'aB', 'a}', 'a~', 'é', 'zz'];
const word = () => random.pick(WORDS);
// The last one could also be a phone number.
const NAMES = ["O'Brien", 'o brien', 'Smith', 'MÜLLER', 'muller-', 'Smith 2'];
const folded = (text: string) =>
  text
    .toLowerCase()
    .replace('ü', 'u')
    .replace(/[^\p{L}\p{N}]/gu, '');

function randomOrder(index: number): Model {
  const placedAt = instant();
  const stage = random.pick(['placed', 'placed', 'placed', 'declined', 'awaiting_payment', 'failed']);
  const isPlaced = stage === 'placed';
  const dueAt = isPlaced ? maybe(instant(), 0.4) : null;
  const waits = isPlaced && dueAt !== null;
  const queue = random.pick(['review', 'to_ship', 'to_deliver', 'exceptions', null]);
  const status = random.pick(['pending', 'confirmed', 'rejected', 'exception']);
  return {
    // Ids are hex digits.
    id: `ord_${random.pick(['a', 'ab', 'b0', 'ff'])}${index}`,
    status: isPlaced ? status : null,
    status_code: isPlaced ? random.pick([1001, 2000, 3001]) : null,
    stage,
    queue: waits ? (Date.parse(dueAt) <= Date.parse(NOW) ? 'overdue' : 'to_confirm') : queue,
    next_action: random.pick(['confirm', 'transfer', 'done']),
    acts: random.pick(['seller', 'staff', 'nobody']),
    client_id: word(),
    assignee: maybe(word()),
    seller: maybe(word()),
    external_id: maybe(word()),
    speculative: random.fraction() < 0.3,
    variant: random.pick(['payment', 'wholesale']),
    event_id: word(),
    listing_id: word(),
    ref_id: maybe(word()),
    // Longer than what the index holds.
    transaction_id: random.pick([word(), `${'t'.repeat(205)}${word()}`]),
    tracking_number: maybe(word()),
    card_last4: maybe(random.pick(['1111', '1122', '2222'])),
    placed_at: placedAt,
    updated_at: new Date(Date.parse(placedAt) + random.integer(3) * 86_400_000).toISOString(),
    due_at: dueAt,
    quantity: 1 + random.integer(7),
    total: (random.integer(5) * 50) / 100,
    email: some(['Ada@example.com', 'a.da@example.com', 'bob@example.com']),
    phone: some(['+1 212 555', '(555)']),
    last_name: some(NAMES),
    tag: some(['vip', 'late']),
    has: some(['parked_ping', 'note', 'replacement', 'refund']),
  };
}

function randomCondition(depth: number): Condition {
  const kind = depth === 0 ? 1 : random.fraction();
  const several = () => Array.from({ length: 1 + random.integer(3) }, () => randomCondition(depth - 1));
  if (kind < 0.25) return { and: several() };
  if (kind < 0.45) return { or: several() };
  if (kind < 0.6) return { not: randomCondition(depth - 1) };
  const field = random.pick(Object.keys(ORDER_FIELDS) as OrderField[]);
  const op = random.pick<string>(ORDER_FIELDS[field].ops);
  if (op === 'is_null') return { field, op, value: random.fraction() < 0.5 };
  if (op !== 'in') return { field, op, value: valueFor(field) };
  return { field, op, value: Array.from({ length: 1 + random.integer(3) }, () => valueFor(field)) };
}

const orders = Array.from({ length: ORDERS }, (_, index) => randomOrder(index));

/** A value that some order has, or a similar one. */
function valueFor(field: OrderField): unknown {
  const value = random.pick(orders)[field];
  if (field === 'tag') return random.pick(['vip', 'late', 'none']);
  if (field === 'has') return random.pick(['parked_ping', 'note', 'replacement', 'refund']);
  if (Array.isArray(value)) return random.pick([...(value as string[]), 'nobody@example.com']);
  if (value !== null)
    return typeof value === 'string' && TEXTS.includes(field) ? (maybe(value, 0.7) ?? value.slice(0, 1)) : value;
  if (field.endsWith('_at')) return instant();
  if (field === 'status_code') return 2000;
  return { status: 'pending', queue: 'review', card_last4: '11' }[field as string] ?? word();
}
const TEXTS: readonly OrderField[] = [
  'id',
  'event_id',
  'listing_id',
  'ref_id',
  'transaction_id',
  'tracking_number',
  'card_last4',
];

function holds(condition: Condition, order: Model): boolean {
  if ('and' in condition) return condition.and.every((one) => holds(one, order));
  if ('or' in condition) return condition.or.some((one) => holds(one, order));
  if ('not' in condition) return !holds(condition.not, order);
  const { field, op, value } = condition;
  const own = order[field];
  if (Array.isArray(own)) {
    const same = (a: string, b: unknown) =>
      ['tag', 'has'].includes(field) ? a === b : folded(a) === folded(String(b));
    if (op === 'is_null') return (own.length === 0) === value;
    return (own as string[]).some((one) => [value].flat().some((wanted) => same(one, wanted)));
  }
  if (op === 'is_null') return (own === null) === value;
  if (own === null) return op === '!=';
  const [mine, wanted] = [own as string, value as string];
  switch (op) {
    case '=':
      return own === wanted;
    case '!=':
      return own !== wanted;
    case 'in':
      return (value as unknown[]).includes(own);
    case 'starts_with':
      return mine.startsWith(wanted);
    case '<':
      return mine < wanted;
    case '<=':
      return mine <= wanted;
    case '>':
      return mine > wanted;
    default:
      return mine >= wanted;
  }
}

function digestOf(sealer: Sealer, field: PersonalName, value: string): Buffer {
  return buyerDigests(sealer, { user: { [field]: value }, delivery: {}, billing: null })[field]!;
}

/** The order as the matcher in memory sees it. */
function factsOf({ total, ...order }: Model, sealer: Sealer): Facts<OrderField> {
  const digests = (field: PersonalName) => order[field].map((value) => digestOf(sealer, field, value).toString('hex'));
  const [email, phone, last_name] = [digests('email'), digests('phone'), digests('last_name')];
  return { ...order, total: Math.round(Number(total) * 100), email, phone, last_name };
}

let database: TestDatabase;
let sealer: Sealer;
let pool: Pool;
let finder: OrderFinder;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = ownerPool(database.url);
  sealer = new Sealer(Buffer.alloc(32, 7), random);
  finder = new OrderFinder(pool, new FixedClock(NOW), sealer);
  for (const order of orders) await store(order, sealer);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function store(order: Model, sealer: Sealer): Promise<void> {
  const waits = order.queue === 'overdue' || order.queue === 'to_confirm';
  const hasBuyer = [order.email, order.phone, order.last_name].flat().length > 0;
  await pool.query(
    `insert into orders (id, version, client_id, variant, stage, status, status_code, event_id, listing_id, quantity, stock_held,
       total_cents, ref_id, transaction_id, placed_at, updated_at, due_for, due_at, queue, tracking_number, card_last4,
       has_replacement, has_refund, seller, external_id, speculative, personal, next_action, acts, purchase, summary)
     values ($1, 1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
       nullif($26, 'done'), nullif($27, 'nobody'), '{}', '{}')`,
    [
      order.id,
      order.client_id,
      order.variant,
      order.stage,
      order.status,
      order.status_code,
      order.event_id,
      order.listing_id,
      order.quantity,
      Math.round(Number(order.total) * 100),
      order.ref_id,
      order.transaction_id,
      order.placed_at,
      order.updated_at,
      waits ? 'confirmation' : maybe('payment_release', 0.3),
      order.due_at ?? instant(),
      waits ? 'to_confirm' : order.queue,
      order.tracking_number,
      order.card_last4,
      order.has.includes('replacement'),
      order.has.includes('refund'),
      order.seller,
      order.external_id,
      order.speculative,
      hasBuyer ? 'sealed' : null,
      order.next_action,
      order.acts,
    ],
  );
  const digests = (['email', 'phone', 'last_name'] as const).map((field) =>
    order[field].map((value) => digestOf(sealer, field, value)),
  );
  if (hasBuyer) {
    const others = digests.flatMap(([, ...further]) => further);
    await pool.query(
      `insert into personal_data_keys (order_id, placed_at, key, email_digest, phone_digest, last_name_digest, other_digests)
       values ($1, $2, '', $3, $4, $5, $6)`,
      [order.id, order.placed_at, ...digests.map(([first = null]) => first), others.length > 0 ? others : null],
    );
  }
  if (order.assignee !== null || order.tag.length > 0) {
    const desk = 'insert into order_desk (order_id, assignee, tags) values ($1, $2, $3)';
    await pool.query(desk, [order.id, order.assignee, order.tag]);
  }
  if (order.has.includes('note')) {
    await pool.query(
      `insert into order_notes (id, order_id, at, author, visibility, sealed) values ($1, $1, $2, 'x', 'internal', '')`,
      [order.id, NOW],
    );
  }
  if (order.has.includes('parked_ping')) {
    await pool.query(
      `insert into pings (order_id, sequence, position, client_id, status, status_code, status_message, occurred_at,
         transaction_id, state, due_since) values ($1, 1, 1, 'x', 'x', 1, 'x', $2, 'x', 'parked', $2)`,
      [order.id, NOW],
    );
  }
}

const newestFirst = (a: Model, b: Model) => {
  const key = ({ placed_at, id }: Model) => `${placed_at} ${id}`;
  return Buffer.compare(Buffer.from(key(b)), Buffer.from(key(a)));
};
const all = { sellers: undefined, buyers: true };

it(
  `finds what a model of the orders and the matcher of rules find, for ${TREES} random conditions`,
  { timeout: 60_000 * cases(1) },
  async () => {
    const conditions = Array.from({ length: TREES }, () => randomCondition(5));
    let hits = 0;
    for (let first = 0; first < TREES; first += 10) {
      await Promise.all(
        conditions.slice(first, first + 10).map(async (condition) => {
          const { where } = OrderSearchRequest.parse({ where: condition });
          const question = { where, q: undefined, sort: 'placed_at.desc' } as const;
          const found = await finder.find(question, { limit: ORDERS, after: undefined }, all);
          const expected = orders.filter((order) => holds(condition, order)).toSorted(newestFirst);
          expect(
            found.map(({ id }) => id),
            JSON.stringify(condition),
          ).toEqual(expected.map(({ id }) => id));
          const matches = matcherOf(where ?? { and: [] }, (field, value) => askedDigests(sealer, field, value));
          const matched = orders.filter((order) => matches(factsOf(order, sealer))).toSorted(newestFirst);
          expect(matched, JSON.stringify(condition)).toEqual(expected);
          if (expected.length > 0 && expected.length < ORDERS) hits += 1;
        }),
      );
    }
    // Most conditions tell orders apart.
    expect(hits).toBeGreaterThan(TREES / 3);
  },
);

it('finds an order by all of its people, by what q could be', async () => {
  const asked = [...NAMES, 'Ada@example.com', 'bob@example.com', '+1 212 555', '(555)', 'smith-2', '2'];
  for (const q of asked) {
    const found = await finder.find(
      { where: undefined, q, sort: 'placed_at.desc' },
      { limit: ORDERS, after: undefined },
      all,
    );
    const isSame = (values: readonly string[]) => values.some((value) => folded(value) === folded(q));
    const expected = orders.filter((order) => {
      const starts = [order.id, order.ref_id, order.tracking_number, order.transaction_id];
      return (
        starts.some((text) => String(text).startsWith(q)) || [order.email, order.phone, order.last_name].some(isSame)
      );
    });
    expect(
      found.map(({ id }) => id),
      q,
    ).toEqual(expected.toSorted(newestFirst).map(({ id }) => id));
  }
});

it(
  'shows a broker only orders of their sellers that are not under review, whatever the condition',
  { timeout: 60_000 * cases(1) },
  async () => {
    for (let index = 0; index < cases(50); index += 1) {
      const condition = randomCondition(3);
      const { where } = OrderSearchRequest.parse({ where: condition });
      const access = { sellers: ['a', 'zz'], buyers: true };
      // Notes for colleagues do not exist for brokers.
      if (JSON.stringify(condition).includes('"note"')) continue;
      const page = { limit: ORDERS, after: undefined };
      const found = await finder.find({ where, q: undefined, sort: 'placed_at.asc' }, page, access);
      const own = orders.filter((order) => seesOrder(access.sellers, order as AskedOrder));
      const expected = own.filter((order) => holds(condition, order));
      expect(found.map(({ id }) => id).toReversed()).toEqual(expected.toSorted(newestFirst).map(({ id }) => id));
    }
  },
);

it.each(ORDER_SEARCH_SORTS)(
  'gives every order once, page by page, sorted by %s',
  { timeout: 60_000 * cases(1) },
  async (sort) => {
    for (let index = 0; index < cases(10); index += 1) {
      const { where } = OrderSearchRequest.parse({ where: randomCondition(1) });
      const question = { where, q: undefined, sort };
      const whole = await finder.find(question, { limit: ORDERS, after: undefined }, all);
      const walked: string[] = [];
      for (let after: SearchPosition | undefined; ;) {
        const page = await finder.find(question, { limit: 7, after }, all);
        walked.push(...page.map(({ id }) => id));
        after = page.at(-1)?.position;
        if (page.length < 7) break;
      }
      expect(walked, JSON.stringify(where)).toEqual(whole.map(({ id }) => id));
    }
  },
);
