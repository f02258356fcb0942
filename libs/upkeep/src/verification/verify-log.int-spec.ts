import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database.js';
import { databaseWithOrders, Tampering } from '../../../../test/support/orders/tampering.js';
import { verify } from '../verify.js';

let sound: TestDatabase;
let tampering: Tampering;

beforeAll(async () => {
  sound = await databaseWithOrders();
  return () => sound.drop();
});

beforeEach(async () => {
  tampering = await Tampering.with(sound);
  return () => tampering.end();
});

/** An order with at least four events, all of them in the feed. */
const LONG = `(select stream from feed where stream not in (select stream from outbox)
  group by stream having count(*) >= 4 order by stream limit 1)`;
const idOf = (stream: string) => stream.replace('order-', '');

describe('in the log', () => {
  it.each([
    ['data', `replace(data::text, '"status_code":', '"status_code":1')::json`],
    ['data', `(data::text || ' ')::json`],
    ['metadata', `'{"transaction_id":"other","actor":"staff:nobody"}'`],
    ['type', `'OrderSomethingElse'`],
    ['event_id', `'evt_other'`],
    ['recorded_at', `recorded_at + interval '1 ms'`],
    ['recorded_at', `'infinity'`],
    ['hash', `'\\x00'`],
  ])('a changed %s (%s) is found', async (column, value) => {
    const stream = await tampering.one(
      `update events set ${column} = ${value} where stream = ${LONG} and position = 3 returning stream as id`,
    );
    expect(await tampering.found()).toContain(`hash chain | ${stream} | 3 | the event does not fit its hash`);
  });

  it('an event of an unknown type is found in the order too', async () => {
    const stream = await tampering.one(
      `update events set type = 'FromTheFuture' where stream = ${LONG} and position = 3 returning stream as id`,
    );
    expect(await tampering.found()).toContain(`orders | ${stream} | the events make no order`);
  });

  it('a changed total is found in the chain and in the order', async () => {
    const stream = await tampering.one(
      `update events set data = replace(data::text, '"total_cents":', '"total_cents":1')::json
       where stream = ${LONG} and position = 1 returning stream as id`,
    );
    const found = await tampering.found();
    const ofLedger = `ledger_entries | ${stream} | `;
    expect(found.filter((difference) => !difference.startsWith(ofLedger))).toEqual([
      `hash chain | ${stream} | 1 | the event does not fit its hash`,
      `orders | ${idOf(stream)} | total_cents | is not what a replay gives`,
    ]);
    expect(found).toContain(`${ofLedger}2 | amounts | is not what a replay gives`);
  });

  it('an event missing in the middle is found', async () => {
    const stream = await tampering.one(
      `delete from events where stream = ${LONG} and position = 2 returning stream as id`,
    );
    const differences = await tampering.found();
    expect(differences).toContain(`hash chain | ${stream} | 2 | the event is missing`);
    expect(differences).toContain(`feed | ${stream} | 2 | the feed has an event that the log does not have`);
  });

  it('a missing first event is found', async () => {
    const stream = await tampering.one(
      `delete from events where stream = ${LONG} and position = 1 returning stream as id`,
    );
    const differences = await tampering.found();
    expect(differences).toContain(`hash chain | ${stream} | 1 | the event is missing`);
    expect(differences).toContain(`orders | ${stream} | the events make no order`);
  });

  it('a missing last event is found', async () => {
    const stream = await tampering.one(
      `delete from events where stream = ${LONG} and position = (select max(position) from events where stream = ${LONG})
       returning stream as id`,
    );
    const at = await tampering.one(`select max(stream_position) as id from feed where stream = $1`, [stream]);
    const differences = await tampering.found();
    expect(differences).toContain(`orders | ${idOf(stream)} | version | is not what a replay gives`);
    expect(differences).toContain(`feed | ${stream} | ${at} | the feed has an event that the log does not have`);
  });

  it('two exchanged events are found', async () => {
    const stream = await tampering.one(
      `with places as (update events set position = position + 1000 where stream = ${LONG} and position in (2, 3) returning stream)
       select distinct stream as id from places`,
    );
    await tampering.sql(
      `update events set position = case position when 1002 then 3 else 2 end where stream = $1 and position > 1000`,
      [stream],
    );
    expect(await tampering.found()).toContain(`hash chain | ${stream} | 2 | the event does not fit its hash`);
  });

  it('a missing order is found by everything that it left', async () => {
    const stream = await tampering.one(
      `with gone as (delete from events where stream = ${LONG} returning stream) select distinct stream as id from gone`,
    );
    const kinds = (await verify(tampering.pool)).differences
      .filter(({ id }) => id.endsWith(idOf(stream)))
      .map(({ kind }) => kind);
    expect([...new Set(kinds)]).toEqual(expect.arrayContaining(['feed', 'orders', 'status_history', 'pings']));
  });
});

describe('in the feed', () => {
  it('a missing event is found, with the gap that it leaves', async () => {
    const stream = await tampering.one(`delete from feed where position = 5 returning stream as id`);
    const differences = await tampering.found();
    expect(differences).toEqual([
      expect.stringMatching(`^feed \\| ${stream} \\| \\d+ \\| the event is neither in the feed nor in the outbox$`),
      'feed | feed | 6 | the feed has a hole before this position',
    ]);
  });

  it('an event that is missing in the outbox is found', async () => {
    const stream = await tampering.one(
      `delete from outbox where id = (select max(id) from outbox) returning stream as id`,
    );
    expect(await tampering.found()).toEqual([
      expect.stringMatching(`^feed \\| ${stream} \\| \\d+ \\| the event is neither in the feed nor in the outbox$`),
    ]);
  });

  it('an event in the feed and in the outbox, or twice in the outbox, is found', async () => {
    const both = await tampering.one(`insert into outbox (stream, stream_position, recorded_at)
      select stream, stream_position, now() from feed where position = 1 returning stream as id`);
    const twice = await tampering.one(`insert into outbox (stream, stream_position, recorded_at)
      select stream, stream_position, now() from outbox order by id limit 1 returning stream as id`);
    const differences = await tampering.found();
    for (const stream of [both, twice]) {
      expect(differences).toContainEqual(
        expect.stringMatching(`^feed \\| ${stream} \\| \\d+ \\| the event is in the feed or the outbox more`),
      );
    }
  });

  it('an event before an earlier one of its stream is found, in the feed and in the outbox', async () => {
    const stream = await tampering.one(`select ${LONG} as id`);
    await tampering.sql(
      `with places as (select stream_position, position from feed where stream = $1 and stream_position in (2, 3)),
        gone as (update feed set position = -position where stream = $1 and stream_position in (2, 3))
      select '' as id from places`,
      [stream],
    );
    await tampering.sql(
      `update feed f set position = -other.position from feed other
      where f.stream = $1 and other.stream = $1 and f.stream_position in (2, 3) and other.stream_position = 5 - f.stream_position`,
      [stream],
    );
    expect(await tampering.found()).toEqual([
      `feed | ${stream} | 3 | the event comes before an earlier one of its stream`,
    ]);
  });

  it('an event that remained in the outbox is found', async () => {
    const stream =
      await tampering.one(`with moved as (delete from feed where stream = ${LONG} and stream_position = 2 returning stream)
      insert into outbox (stream, stream_position, recorded_at) select stream, 2, now() from moved returning stream as id`);
    expect(await tampering.found()).toContain(
      `feed | ${stream} | 3 | the event comes before an earlier one of its stream`,
    );
  });

  it('events that are not in the log are found', async () => {
    await tampering.sql(`insert into feed select max(position) + 1, 'order-ord_other', 1 from feed`);
    await tampering.sql(
      `insert into outbox (stream, stream_position, recorded_at) values ('order-ord_other', 2, now())`,
    );
    expect(await tampering.found()).toEqual([
      'feed | order-ord_other | 1 | the feed has an event that the log does not have',
      'feed | order-ord_other | 2 | the outbox has an event that the log does not have',
    ]);
  });
});
