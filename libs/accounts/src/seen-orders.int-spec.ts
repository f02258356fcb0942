import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { seesOrder } from '#domain/order-access';
import { STAGES } from '#domain/order-state';
import { SeededRandomness } from '#base/seeded-randomness';
import { cases } from '../../../test/support/cases.js';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { isKeptFor, isSeenBy, seenSeller } from './seen-orders.js';

const SELLERS = [null, '', 'Front Row', 'front row', 'Back Row', "O'Neil, {Side}"];
const QUEUES = [null, 'review', 'to_confirm', 'to_ship', 'to_deliver', 'exceptions'];
const ORDERS = 50;

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = ownerPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const FORMS = {
  direct: isSeenBy('$3'),
  kept: `(select ${isKeptFor('$3', 'kept')} from (select ${seenSeller('o')} as seller) as kept)`,
};

describe.each(Object.entries(FORMS))('the rule who sees an order, in SQL (%s)', (_, form) => {
  it('is the rule of the domain for every order and every caller', async () => {
    const random = new SeededRandomness(34);
    for (let round = 0; round < cases(40); round += 1) {
      const orders = Array.from({ length: ORDERS }, () => ({
        seller: random.pick(SELLERS),
        stage: random.pick(STAGES),
        queue: random.pick(QUEUES),
      }));
      const own = SELLERS.filter((name) => name !== null && random.fraction() < 0.4) as string[];
      const sellers = random.fraction() < 0.2 ? null : own;
      const { rows } = await pool.query<{ seen: boolean | null }>(
        `select ${form} as seen from unnest($1::text[], $2::text[], $4::text[]) with ordinality as o (seller, queue, stage, place) order by place`,
        [
          orders.map(({ seller }) => seller),
          orders.map(({ queue }) => queue),
          sellers,
          orders.map(({ stage }) => stage),
        ],
      );
      expect(rows.map(({ seen }) => seen === true)).toEqual(orders.map((order) => seesOrder(sellers, order)));
    }
  });
});
