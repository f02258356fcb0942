import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { SeededRandomness } from '#base/seeded-randomness';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { storeBuyer } from '../../../../test/support/orders/stored-buyer.js';
import { lettersAndDigits } from '../buyer-folding.js';
import { BuyerDigestFilling } from './buyer-digest-filling.js';
import { OrderFinder } from '../order-finder.js';

const random = new SeededRandomness(7);
const sealer = new Sealer(Buffer.alloc(32, 7), random);

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

async function storeOld(id: string, personal: (key: Buffer) => Buffer | null): Promise<void> {
  const key = random.bytes(32);
  await storeBuyer(pool, { id, key, personal: personal(key) });
}

/** The digests of the version before full names, without full names. */
async function foldAsBefore(id: string, phone: string, lastName: string): Promise<void> {
  await pool.query(
    `update personal_data_keys set placed_at = '2026-05-01', phone_digest = $2, last_name_digest = $3 where order_id = $1`,
    [
      id,
      sealer.digest('buyer-phone', lettersAndDigits(phone)),
      sealer.digest('buyer-last-name', lettersAndDigits(lastName)),
    ],
  );
}

async function found(question: { field: 'email' | 'phone' | 'last_name'; value: string } | string): Promise<string[]> {
  const finder = new OrderFinder(pool, new FixedClock(), sealer);
  const where = typeof question === 'string' ? undefined : ({ ...question, op: '=' } as const);
  const q = typeof question === 'string' ? question : undefined;
  const page = { limit: 50, after: undefined };
  const rows = await finder.find({ where, q, sort: 'placed_at.desc' }, page, { sellers: undefined, buyers: true });
  return rows.map(({ id }) => id);
}

it('finds older orders by their buyers once the task has run, and says its progress', async () => {
  const data = {
    user: { email: 'Ada.Lovelace@example.com', phone: '+1 (212) 555-0100' },
    delivery: { last_name: "O'Brien" },
    billing: { last_name: 'Lovelace' },
  };
  await storeOld('ord_a', (key) => sealer.sealPersonal('ord_a', key, data));
  await storeOld('ord_b', () => Buffer.from('damaged'));
  await storeOld('ord_c', () => null);
  await pool.query('update personal_data_keys set email_digest = $1 where order_id = $2', [
    sealer.emailDigest('Ada.Lovelace@example.com'),
    'ord_a',
  ]);
  await pool.query('update personal_data_keys set email_digest = $1 where order_id = $2', [
    sealer.emailDigest('damaged@example.com'),
    'ord_b',
  ]);
  // Before the task has run, the digest of older versions already finds the e-mail address.
  expect(await found({ field: 'email', value: 'ada.lovelace@example.com' })).toEqual(['ord_a']);
  expect(await found({ field: 'last_name', value: 'lovelace' })).toEqual([]);

  expect(await new BuyerDigestFilling(pool, sealer, logger).run()).toBe(false);
  expect(lines.splice(0).join()).toContain('"filled":3');
  expect(await found({ field: 'last_name', value: 'LOVELACE' })).toEqual(['ord_a']);
  expect(await found({ field: 'last_name', value: 'obrien' })).toEqual(['ord_a']);
  expect(await found({ field: 'phone', value: '12125550100' })).toEqual(['ord_a']);
  expect(await found({ field: 'email', value: 'adalovelace@example.com' })).toEqual(['ord_a']);
  expect(await found({ field: 'email', value: 'damaged@example.com' })).toEqual(['ord_b']);
  // Nothing is done twice, not even for data that cannot be decrypted.
  await new BuyerDigestFilling(pool, sealer, logger).run();
  expect(lines).toEqual([]);
});

it('folds the buyers of the version before anew, who are found by what they were found by meanwhile', async () => {
  const buyer = { user: { phone: '+49 (0)89 5550100' }, delivery: { first_name: 'Jürgen', last_name: 'Müller' } };
  await storeOld('ord_m', (key) => sealer.sealPersonal('ord_m', key, { ...buyer, billing: null }));
  await foldAsBefore('ord_m', '+49 (0)89 5550100', 'Müller');
  const before = ['Müller', '+49 (0)89 5550100'];
  for (const q of before) expect(await found(q), q).toEqual(['ord_m']);
  for (const q of ['Jürgen Müller', 'muller', '089 5550100']) expect(await found(q), q).toEqual([]);

  await new BuyerDigestFilling(pool, sealer, logger).run();
  for (const q of [...before, 'Jürgen Müller', 'muller', '089 5550100']) expect(await found(q), q).toEqual(['ord_m']);
});

it('folds again what a process of the version before has corrected', async () => {
  await storeOld('ord_n', (key) =>
    sealer.sealPersonal('ord_n', key, {
      user: null,
      delivery: { first_name: 'Zoë', last_name: 'Quist' },
      billing: null,
    }),
  );
  await new BuyerDigestFilling(pool, sealer, logger).run();
  await pool.query(`update personal_data_keys set full_name_digest = '\\x00' where order_id = 'ord_n'`);
  await foldAsBefore('ord_n', '', 'Quist');
  expect(await found('zoe quist')).toEqual([]);
  await new BuyerDigestFilling(pool, sealer, logger).run();
  expect(await found('zoe quist')).toEqual(['ord_n']);
});

it('goes on in batches, and passes over orders that are being changed', async () => {
  for (let number = 100; number < 250; number += 1) {
    const id = `ord_p${number}`;
    const personal = { user: null, delivery: { last_name: 'Plenty' }, billing: null };
    await storeOld(id, (key) => sealer.sealPersonal(id, key, personal));
  }
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select from personal_data_keys where order_id = 'ord_p100' for update`);
    const filling = new BuyerDigestFilling(pool, sealer, logger);
    expect(await filling.run()).toBe(true);
    expect(await filling.run()).toBe(false);
    expect(await left()).toEqual(['ord_p100']);
    await client.query('rollback');
    await filling.run();
    expect(await left()).toEqual([]);
  } finally {
    client.release();
  }
});

async function left(): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select order_id as id from personal_data_keys where folded_at is null or email_start is null order by 1',
  );
  return rows.map(({ id }) => id);
}

it('never brings back a key that was erased meanwhile', async () => {
  await storeOld('ord_d', (key) =>
    sealer.sealPersonal('ord_d', key, { user: { phone: '555' }, delivery: {}, billing: null }),
  );
  await pool.query(`delete from personal_data_keys where order_id = 'ord_d'`);
  await new BuyerDigestFilling(pool, sealer, logger).run();
  expect(await found({ field: 'phone', value: '555' })).toEqual([]);
});
