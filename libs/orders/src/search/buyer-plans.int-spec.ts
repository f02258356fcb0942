import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { createPool } from '#database/pool';
import { SeededRandomness } from '#base/seeded-randomness';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { rowsRead } from '../../../../test/support/postgres/rows-read.js';
import { vacuumed } from '../../../../test/support/postgres/vacuumed.js';
import { buyerDigests } from '../buyer-digests.js';
import { listQuestion } from '../order-list.js';
import { OrderFinder } from '../order-finder.js';

// So many that none of the tables is read as a whole.
const ORDERS = 30_000;
// Every third buyer is an Ada, every 250th a King.
const ADA = 3;
const KING = 250;
const ADA_KINGS = ORDERS / (ADA * KING);
const PAGE = 51;

const sealer = new Sealer(Buffer.alloc(32, 7), new SeededRandomness(1));
let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = ownerPool(database.url);
  const ada = buyerDigests(sealer, {
    user: { email: 'ada@example.com', phone: '+1 212 555 0100' },
    delivery: { first_name: 'Ada', last_name: 'King' },
    billing: null,
  });
  await owner.query(
    `insert into orders (id, version, client_id, variant, stage, status, status_code, event_id, listing_id, quantity, stock_held, total_cents,
       transaction_id, placed_at, updated_at, has_replacement, has_refund, purchase, summary)
     select 'ord_' || n, 1, 'c', 'wholesale', 'placed', 'confirmed', 2000, 'e', 'l', 2, 0, 100, 't' || n, placed_at, placed_at,
       false, false, '{}', '{}'
     from generate_series(1, $1::int) n cross join lateral (select timestamptz '2026-01-01' + interval '1 hour' * n as placed_at) as placed`,
    [ORDERS],
  );
  const each = (every: number, parameter: string) =>
    `case when n % ${every} = 0 then ${parameter} else sha256(n::text::bytea) end`;
  await owner.query(
    `insert into personal_data_keys (order_id, placed_at, folded_at, key, first_name_digest, last_name_digest, full_name_digest,
       email_digest, phone_digest)
     select id, placed_at, placed_at, '', ${each(ADA, '$1')}, ${each(KING, '$2')}, ${each(ADA * KING, '$3')},
       ${each(ADA * KING, '$4')}, ${each(ADA * KING, '$5')}
     from orders cross join lateral (select substr(id, 5)::int as n) numbered`,
    [ada.first_name, ada.last_name, ada.full_name, ada.email, ada.phone],
  );
  await vacuumed(owner);
  await owner.end();
  pool = createPool({ databaseUrl: database.url, max: 1, applicationName: 'spec', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const TABLES = ['orders', 'personal_data_keys'];
const QUESTIONS = [
  ['King, Ada', ADA_KINGS],
  ['2125550100', ADA_KINGS],
  ['ada@example.com', ADA_KINGS],
] as const;

describe('a search', () => {
  it.each([['Ada', PAGE], ['King', PAGE], ...QUESTIONS] as const)(
    'finds orders by %s without reading others',
    async (q, expected) => {
      const finder = new OrderFinder(pool, new FixedClock(), sealer);
      const page = { limit: PAGE, after: undefined };
      const read = await rowsRead(pool, TABLES, async () => {
        const question = { where: undefined, q, sort: 'placed_at.desc' } as const;
        const found = await finder.find(question, page, { sellers: undefined, buyers: true });
        expect(found).toHaveLength(expected);
      });
      expect(read).toBeLessThan(8 * PAGE);
    },
  );
});

describe('a list', () => {
  it.each(QUESTIONS)('finds orders by %s without reading others', async (q, expected) => {
    const finder = new OrderFinder(pool, new FixedClock(), sealer);
    const question = listQuestion({ q, stage: 'all' }, 'placed_at.desc');
    const read = await rowsRead(pool, TABLES, async () => {
      const found = await finder.find(
        question,
        { limit: PAGE, after: undefined },
        { sellers: undefined, buyers: true },
      );
      expect(found).toHaveLength(expected);
    });
    expect(read).toBeLessThan(8 * PAGE);
  });
});
