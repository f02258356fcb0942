import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sealer } from '#crypto/sealing';
import { SeededRandomness } from '#runtime/seeded-randomness';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { BuyerDigestFilling } from './buyer-digest-filling.js';
import { OrderFinder } from './order-finder.js';

const random = new SeededRandomness(7);
const sealer = new Sealer(Buffer.alloc(32, 7), random);
const PLACED_AT = '2026-05-01T00:00:00.000Z';

let database: TestDatabase;
let pool: Pool;
const lines: string[] = [];
const write = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
const logger = { info: write, warn: write, error: write, debug: () => undefined };

beforeAll(async () => {
  database = await createTestDatabase();
  pool = ownerPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** An order as versions before the search stored it. */
async function storeOld(id: string, personal: (key: Buffer) => Buffer | null, email?: string): Promise<void> {
  const key = random.bytes(32);
  await pool.query(
    `insert into orders (id, version, client_id, variant, stage, event_id, listing_id, quantity, stock_held, total_cents,
       transaction_id, placed_at, updated_at, purchase, summary, personal)
     values ($1, 1, 'c', 'payment', 'placed', 'e', 'l', 1, 0, 100, 't', $2, $2, '{}', '{}', $3)`,
    [id, PLACED_AT, personal(key)],
  );
  await pool.query('insert into personal_data_keys (order_id, key, email_digest) values ($1, $2, $3)', [
    id,
    key,
    email === undefined ? null : sealer.emailDigest(email),
  ]);
}

async function found(field: 'email' | 'phone' | 'last_name', value: string): Promise<string[]> {
  const finder = new OrderFinder(pool, new FixedClock(), sealer);
  const where = { field, op: '=', value } as const;
  const page = { limit: 50, after: undefined };
  const rows = await finder.find({ where, q: undefined, sort: 'placed_at.desc' }, page, {
    sellers: undefined,
    buyers: true,
  });
  return rows.map(({ id }) => id);
}

it('finds older orders by their buyers once the task has run, and says its progress', async () => {
  const data = {
    user: { email: 'Ada.Lovelace@example.com', phone: '+1 (212) 555-0100' },
    delivery: { last_name: "O'Brien" },
    billing: { last_name: 'Lovelace' },
  };
  await storeOld('ord_a', (key) => sealer.sealPersonal('ord_a', key, data), 'Ada.Lovelace@example.com');
  await storeOld('ord_b', () => Buffer.from('damaged'), 'damaged@example.com');
  await storeOld('ord_c', () => null);
  // Before the task has run, the digest of older versions already finds the e-mail address.
  expect(await found('email', 'ada.lovelace@example.com')).toEqual(['ord_a']);
  expect(await found('last_name', 'lovelace')).toEqual([]);

  const filling = new BuyerDigestFilling(pool, sealer, logger);
  expect(await filling.run()).toBe(3);
  expect(lines.join()).toContain('"filled":3');
  expect(await found('last_name', 'LOVELACE')).toEqual(['ord_a']);
  expect(await found('last_name', 'obrien')).toEqual(['ord_a']);
  expect(await found('phone', '12125550100')).toEqual(['ord_a']);
  expect(await found('email', 'adalovelace@example.com')).toEqual(['ord_a']);
  expect(await found('email', 'damaged@example.com')).toEqual(['ord_b']);
  // Nothing is done twice, not even for data that cannot be decrypted.
  expect(await filling.run()).toBe(0);
});

it('never brings back a key that was erased meanwhile', async () => {
  await storeOld('ord_d', (key) =>
    sealer.sealPersonal('ord_d', key, { user: { phone: '555' }, delivery: {}, billing: null }),
  );
  await pool.query(`delete from personal_data_keys where order_id = 'ord_d'`);
  expect(await new BuyerDigestFilling(pool, sealer, logger).run()).toBe(0);
  expect(await found('phone', '555')).toEqual([]);
});
