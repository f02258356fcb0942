import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SystemRandomness } from '#base/randomness';
import { Sealer } from '#base/sealing';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { OrderFinder, type SearchPosition } from './order-finder.js';
import { OrderSearchRequest } from './order-search.contract.js';

const NOW = '2026-06-01T00:00:00.000Z';
const EVERYTHING = { sellers: undefined, buyers: true };

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

it.each(['placed_at.desc', 'placed_at.asc'] as const)(
  'finds every order of a common beginning among newer and older ones, sorted by %s',
  async (sort) => {
    const client = await pool.connect();
    const own = { query: client.query.bind(client) } as unknown as Pool;
    const finderOfMany = new OrderFinder(
      own,
      new FixedClock(NOW),
      new Sealer(Buffer.alloc(32, 7), new SystemRandomness()),
    );
    try {
      await client.query('begin');
      // More than are read at once on both sides of them; half of them were placed in the order of their ids.
      await client.query(
        `insert into orders (id, version, client_id, variant, stage, event_id, listing_id, quantity, stock_held, total_cents, ref_id,
           transaction_id, placed_at, updated_at, purchase, summary)
         select 'many-' || n, 1, 'c', 'wholesale', 'placed', kind || n % 7,
           case when n between 2601 and 3400 then 'few-' || n % 400 else 'l' end, n % 2 + 1, 0, 0, kind || lpad(n::text, 5, '0'), 't' || n,
           placed_at, placed_at, '{}', '{}'
         from generate_series(1, 5200) n
         cross join lateral (select case when n % 2600 < 1300 then 'common-' else 'other-' end as kind,
           case when n <= 2600 then 2600 - n when n % 2600 < 1300 then 4000 else n end as day) as parts
         cross join lateral (select timestamptz '1990-01-01' + interval '1 day' * day as placed_at) as placed`,
      );
      // With the statistics of a smaller table, each page would read all of them again.
      await client.query('analyze orders');
      const { rows } = await client.query<Readonly<{ id: string; quantity: number; listing_id: string }>>(
        `select id, quantity, listing_id from orders where ref_id like 'common-%'
         order by placed_at ${sort.endsWith('desc') ? 'desc, id desc' : ', id'}`,
      );
      expect(rows).toHaveLength(2_600);
      const start = { field: 'ref_id', op: 'starts_with', value: 'common-' };
      // Many of these were placed in the same moment with the same text.
      const event = { ...start, field: 'event_id' };
      const pair = { field: 'quantity', op: '=', value: 2 };
      const pairs = rows.filter(({ quantity }) => quantity === 2);
      const few = { field: 'listing_id', op: 'starts_with', value: 'few-' };
      const asked = [
        { one: { where: start }, expected: rows },
        { one: { q: 'common-' }, expected: rows },
        { one: { where: { and: [start, pair] } }, expected: pairs },
        { one: { where: event }, expected: rows },
        { one: { where: { and: [event, pair] } }, expected: pairs },
        { one: { where: few }, expected: rows.filter((row) => row.listing_id.startsWith('few-')) },
      ];
      for (const { one, expected } of asked) {
        const { where, q } = OrderSearchRequest.parse(one);
        const walked: string[] = [];
        for (let after: SearchPosition | undefined; ;) {
          const page = await finderOfMany.find({ where, q, sort }, { limit: 200, after }, EVERYTHING);
          walked.push(...page.map(({ id }) => id));
          after = page.at(-1)?.position;
          if (page.length < 200) break;
        }
        expect(walked, JSON.stringify(one)).toEqual(expected.map(({ id }) => id));
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
  },
);
