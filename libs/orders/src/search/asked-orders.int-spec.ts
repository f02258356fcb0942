import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { SeededRandomness } from '#base/seeded-randomness';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { storeBuyer } from '../../../../test/support/orders/stored-buyer.js';
import type { PersonalData } from '../purchase-drafts.js';
import { listQuestion } from '../order-list.js';
import { BuyerDigestFilling } from './buyer-digest-filling.js';
import { OrderFinder, type SearchAccess } from '../order-finder.js';

const random = new SeededRandomness(7);
const sealer = new Sealer(Buffer.alloc(32, 7), random);
const STAFF: SearchAccess = { sellers: undefined, buyers: true };
const BROKER: SearchAccess = { sellers: ['acme'], buyers: true };
const VIEWER: SearchAccess = { sellers: undefined, buyers: false };

let database: TestDatabase;
let pool: Pool;
let finder: OrderFinder;

const person = (first: string, last: string, phone?: string) => ({ first_name: first, last_name: last, phone });
const BUYERS: Readonly<Record<string, PersonalData>> = {
  ord_ada: {
    user: { email: 'ada@example.com', phone: '+1 (212) 555-0100' },
    delivery: person('Ada', 'Lovelace', '212 555 0100'),
    billing: person('Charles', "O'Brien"),
  },
  ord_b1: { user: { phone: '030/123456 ext. 5' }, delivery: person('Jürgen', 'Strauß'), billing: null },
  ord_c1: { user: null, delivery: person('Wei', 'Ng'), billing: person('小龍', '李') },
  ord_d1: { user: null, delivery: person('Mary Ann', 'van der Berg'), billing: null },
  ord_e1: { user: null, delivery: person('Ørjan', 'Łukaszewicz'), billing: person('Işıl', 'Nguyễn') },
  ord_f1: { user: null, delivery: person('Madonna', ''), billing: person('Cher Bono', '') },
  ord_ab12: { user: { email: 'bob@example.com' }, delivery: {}, billing: null },
};

beforeAll(async () => {
  database = await createTestDatabase();
  pool = ownerPool(database.url);
  for (const [id, data] of Object.entries(BUYERS)) {
    const key = random.bytes(32);
    await storeBuyer(pool, { id, key, personal: sealer.sealPersonal(id, key, data), seller: 'acme' });
  }
  await pool.query(
    `update orders set tracking_number = '1Z999AA10123456784', ref_id = 'SG-77AB' where id = 'ord_ab12'`,
  );
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
  await new BuyerDigestFilling(pool, sealer, logger).run();
  finder = new OrderFinder(pool, new FixedClock(), sealer);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function searched(q: string, access: SearchAccess): Promise<string[]> {
  const page = { limit: 50, after: undefined };
  return (await finder.find({ where: undefined, q, sort: 'placed_at.desc' }, page, access)).map(({ id }) => id);
}

/** As GET /orders finds it, by whole values only. */
async function listed(q: string, access: SearchAccess): Promise<string[]> {
  const question = listQuestion({ q, stage: 'all' }, 'placed_at.desc');
  const found = await finder.find(question, { limit: 50, after: undefined }, access);
  expect(await finder.count(question, access)).toBe(found.length);
  return found.map(({ id }) => id);
}

const BY_NAME = [
  ['Lovelace', 'ord_ada'],
  ['ADA', 'ord_ada'],
  ['Ada Lovelace', 'ord_ada'],
  ['lovelace ada', 'ord_ada'],
  ['Lovelace, Ada', 'ord_ada'],
  ['charles obrien', 'ord_ada'],
  ['O’Brien, Charles', 'ord_ada'],
  ['Jurgen Strauss', 'ord_b1'],
  ['STRAUSS', 'ord_b1'],
  ['Ng', 'ord_c1'],
  ['ng wei', 'ord_c1'],
  ['李', 'ord_c1'],
  ['李小龍', 'ord_c1'],
  ['小龍 李', 'ord_c1'],
  ['van der Berg, Mary Ann', 'ord_d1'],
  ['Mary Ann van der Berg', 'ord_d1'],
  ['mary-ann', 'ord_d1'],
  ['orjan lukaszewicz', 'ord_e1'],
  ['NGUYEN ISIL', 'ord_e1'],
  ['Madonna', 'ord_f1'],
  ['Bono Cher', 'ord_f1'],
] as const;

const BY_PHONE = [
  ['2125550100', 'ord_ada'],
  ['+1 212 555 0100', 'ord_ada'],
  ['001-212-555-0100 x9', 'ord_ada'],
  ['12125550100', 'ord_ada'],
  ['+49 (0)30 123456', 'ord_b1'],
  ['0049 30 12 34 56', 'ord_b1'],
  ['030 123456', 'ord_b1'],
] as const;

const BY_ID = [
  ['#ORD_AB12', 'ord_ab12'],
  ['“ord_ab12”', 'ord_ab12'],
  ['ORD_AB12', 'ord_ab12'],
  ['sg-77ab', 'ord_ab12'],
  ['#SG-77AB', 'ord_ab12'],
] as const;

describe.each([
  ['a search', searched],
  ['a list', listed],
])('%s', (_, find) => {
  it.each([...BY_NAME, ...BY_PHONE, ...BY_ID, ['ADA@example.com', 'ord_ada'] as const])('finds %s', async (q, id) => {
    expect(await find(q, STAFF)).toEqual([id]);
  });

  it.each(['Ada Berg', 'Lovelace Charles', 'Love', 'Müll', '5550100', 'example.com', 'da Lovelace'])(
    'does not find %s',
    async (q) => {
      expect(await find(q, STAFF)).toEqual([]);
    },
  );

  it('tells brokers no names, and others nothing of the buyer', async () => {
    for (const [q] of BY_NAME) {
      expect(await find(q, BROKER), q).toEqual([]);
      expect(await find(q, VIEWER), q).toEqual([]);
    }
    for (const [q, id] of BY_PHONE) {
      expect(await find(q, BROKER), q).toEqual([id]);
      expect(await find(q, VIEWER), q).toEqual([]);
    }
    expect(await find('ada@example.com', BROKER)).toEqual(['ord_ada']);
  });
});

it.each(['1z999aa1', '1Z 999 AA1 0123', ' #1Z999AA10123456784 ', 'SG-7', 'ord_ab'])(
  'finds the beginning of %s',
  async (q) => {
    expect(await searched(q.trim(), STAFF)).toContain('ord_ab12');
  },
);
