import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { DatabaseEpoch } from '#database/epoch';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { CountingIds, FixedClock } from '../../../test/support/fixed-clock.js';
import { until } from '../../../test/support/until.js';
import { inTransaction } from '#database/transaction';
import { EpochConflict, EventStore, ProjectionConflict, type Stream, VersionConflict } from './event-store.js';
import type { NewEvent } from './event.js';
import { chainHash, GENESIS, isKeyed, LedgerKey, LedgerKeys } from './hash-chain.js';
import type { InlineProjection } from './inline-projection.js';
import type { StreamFold } from './stream-definition.js';

const metadata = { transaction_id: 't1', actor: 'system:test' };

/** Stores the type of each event. Fails if an event asks for a note that does not exist. */
const notes: InlineProjection = {
  name: 'notes',
  columns: { stream: 'text', type: 'text' },
  statement: (rows) => `insert into notes (stream, type) select stream, type from ${rows} returning 1`,
  rows: ({ appended }) => appended.map(({ stream, type }) => ({ stream, type })),
};
const crossings: InlineProjection = {
  name: 'crossings',
  columns: { type: 'text' },
  requireRowCount: true,
  statement: (rows) => `update notes set type = 'crossed' from ${rows} where notes.type = crossings.type returning 1`,
  rows: ({ appended }) => appended.flatMap(({ data }) => ('cross' in data ? [{ type: data.cross }] : [])),
};

type Count = { type: 'Counted'; data: { by: number } };
const counter: StreamFold<number, Count> = {
  initial: 0,
  evolve: (total, event) => total + event.data.by,
  knows: (type): type is 'Counted' => type === 'Counted',
};
const counted =
  (by: number) =>
  (total: number): readonly Count[] | Error =>
    total + by > 10 ? new Error('too much') : by === 0 ? [] : [{ type: 'Counted', data: { by } }];

/** Its state is the types of the events. */
const types: StreamFold<readonly string[], NewEvent> = {
  initial: [],
  evolve: (before, { type }) => [...before, type],
  knows: (type): type is string => type !== '',
};

describe('the event store', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let owner: pg.Client;
  let store: EventStore<readonly string[], NewEvent>;
  let counters: EventStore<number, Count>;
  const event = (type = 'Happened', data: object = {}): NewEvent => ({ type, data });

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query('create table notes (stream text, type text unique); grant all on notes to willcall_app');
    pool = createPool({ databaseUrl: database.url, max: 5, applicationName: 'test', onError: () => undefined });
    const writers = [notes, crossings];
    store = new EventStore<readonly string[], NewEvent>(
      pool,
      { ...types, projections: writers },
      new FixedClock(),
      new CountingIds(),
    );
    counters = new EventStore<number, Count>(
      pool,
      { ...counter, projections: [notes] },
      new FixedClock(),
      new TimeOrderedIds(),
    );
  });
  beforeEach(async () => {
    await owner.query('truncate notes');
  });
  afterAll(async () => {
    await pool.end();
    await owner.end();
    await database.drop();
  });

  it('writes nothing that was decided before the database was restored', async () => {
    const epoch = new DatabaseEpoch();
    const options = { databaseUrl: database.url, max: 1, applicationName: 'test', onError: () => undefined };
    const restored = createPool({ ...options, epoch });
    const watched = new EventStore(restored, { ...types, projections: [notes] }, new FixedClock(), new CountingIds(), {
      epoch,
    });
    await watched.append(watched.fresh('e-1'), [event()], { metadata });
    const [read, fresh] = [await watched.read('e-1'), watched.fresh('e-2')];
    await owner.query('select renew_epoch()');
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test'
      and datname = current_database()`);
    await until(() => restored.totalCount === 0);
    for (const stream of [read, fresh]) {
      await expect(watched.append(stream, [event('Late')], { metadata })).rejects.toBeInstanceOf(EpochConflict);
      expect((await watched.read(stream.name)).events).toHaveLength(stream.events.length);
    }
    // Whoever reads again can continue.
    const { stream } = await watched.handle('e-3', () => [event('Read')], { metadata });
    expect(stream.state).toEqual(['Read']);
    await restored.end();
  });

  describe('several streams in one transaction', () => {
    const append = (streams: readonly Stream<readonly string[], NewEvent>[], given: NewEvent[], ending = 'commit') =>
      inTransaction(pool, async (client) => {
        const appends = streams.map((stream, index) => ({
          stream,
          events: [given[index] ?? event()],
          options: { metadata },
        }));
        const after = await store.appendAll(client, appends);
        if (ending !== 'commit') throw new Error(ending);
        return after;
      });

    it('are read and appended as each by itself would be', async () => {
      const names = Array.from({ length: 11 }, (_, index) => `several-${11 - index}`);
      await store.append(store.fresh('several-3'), [event('First')], { metadata });
      const after = await append(
        await store.readAll(names),
        names.map((name) => event(name)),
      );
      expect(after.map(({ name }) => name)).toEqual(names);
      for (const stream of after) expect(await store.read(stream.name)).toEqual(stream);
      expect((await store.read('several-3')).state).toEqual(['First', 'several-3']);
    });

    it('are written together or not at all', async () => {
      const streams = await store.readAll(['both-1', 'both-2']);
      const given = [event('One'), event('Two')];
      await expect(append(streams, given, 'later')).rejects.toThrow('later');
      await store.append(store.fresh('both-2'), [event('Other')], { metadata });
      await expect(append(streams, given)).rejects.toBeInstanceOf(VersionConflict);
      expect((await store.readAll(['both-1', 'both-2'])).map(({ state }) => state)).toEqual([[], ['Other']]);
    });
  });

  it('returns the appended events in order, each chained to the one before', async () => {
    const first = await store.append(store.fresh('s-1'), [event('A', { text: 'ä"\n😀' }), event('B')], { metadata });
    const second = await store.append(first, [event('C', { amount: 0.1 })], { metadata });
    const read = await store.read('s-1');
    expect(read).toEqual(second);
    expect(read.events.map(({ position, type }) => [position, type])).toEqual([
      [1, 'A'],
      [2, 'B'],
      [3, 'C'],
    ]);
    const { rows } = await pool.query<{ data: string; metadata: string; hash: Buffer }>(
      `select data::text, metadata::text, hash from events where stream = 's-1' order by position`,
    );
    let hash: Buffer = GENESIS;
    for (const [index, row] of rows.entries()) {
      const recorded = read.events[index];
      if (!recorded) throw new Error('more rows than events');
      hash = chainHash(hash, { ...recorded, data: row.data, metadata: row.metadata });
      expect(row.hash).toEqual(hash);
    }
  });

  it('makes hashes with its key, also after an event of an earlier release', async () => {
    const key = new LedgerKey(Buffer.alloc(32, 1));
    const definition = { ...types, projections: [notes] };
    const keyed = new EventStore(pool, definition, new FixedClock(), new TimeOrderedIds(), { key });
    await store.append(store.fresh('s-key'), [event('Earlier')], { metadata });
    const { events } = await keyed.append(await keyed.read('s-key'), [event('Later')], { metadata });
    const { rows } = await pool.query<{ data: string; metadata: string; hash: Buffer }>(
      `select data::text, metadata::text, hash from events where stream = 's-key' order by position`,
    );
    const [earlier, later] = rows;
    if (!events[1] || !earlier || !later) throw new Error('two events were appended');
    const link = { ...events[1], data: later.data, metadata: later.metadata };
    expect(isKeyed(earlier.hash)).toBe(false);
    expect(later.hash).toEqual(chainHash(earlier.hash, link, key));
    expect(later.hash).not.toEqual(chainHash(earlier.hash, link, new LedgerKey(Buffer.alloc(32, 2))));
    expect(new LedgerKeys([key]).of(later.hash)).toBe(key);
  });

  it('gives projections the state before and after, and the next append the latter', async () => {
    const seen: unknown[] = [];
    const watcher: InlineProjection<readonly string[], NewEvent> = {
      ...notes,
      rows: ({ before, after }) => {
        seen.push([before, after]);
        return [];
      },
    };
    const watched = new EventStore(pool, { ...types, projections: [watcher] }, new FixedClock(), new TimeOrderedIds());
    const first = await watched.append(watched.fresh('s-9'), [event('A')], { metadata });
    await watched.append(first, [event('B'), event('C')], { metadata });
    expect(seen).toEqual([
      [[], ['A']],
      [['A'], ['A', 'B', 'C']],
    ]);
    expect((await watched.read('s-9')).state).toEqual(['A', 'B', 'C']);
  });

  it('reads a stream that does not exist as empty', async () => {
    expect(await store.read('s-none')).toEqual(store.fresh('s-none'));
  });

  it('puts every event into the outbox', async () => {
    await store.append(store.fresh('s-out'), [event('O1'), event('O2')], { metadata });
    const { rows } = await pool.query(`select stream_position from outbox where stream = 's-out' order by id`);
    expect(rows).toEqual([{ stream_position: 1 }, { stream_position: 2 }]);
  });

  it('rejects a stream that has changed, and an existing one that is treated as new', async () => {
    const first = await store.append(store.fresh('s-2'), [event('V1')], { metadata });
    await store.append(first, [event('V2')], { metadata });
    await expect(store.append(first, [event('V3')], { metadata })).rejects.toThrow(VersionConflict);
    await expect(store.append(store.fresh('s-2'), [event('V4')], { metadata })).rejects.toThrow(VersionConflict);
    expect((await store.read('s-2')).events).toHaveLength(2);
  });

  it('rejects a gap: an append after an event that was never written', async () => {
    const first = await store.append(store.fresh('s-3'), [event('G1')], { metadata });
    const gapped = { ...first, events: [...first.events, ...first.events] };
    await expect(store.append(gapped, [event('G3')], { metadata })).rejects.toThrow(VersionConflict);
  });

  it('writes nothing if the condition of a projection is not met', async () => {
    await expect(store.append(store.fresh('s-4'), [event('W', { cross: 'nothing' })], { metadata })).rejects.toThrow(
      new ProjectionConflict('crossings'),
    );
    expect((await store.read('s-4')).events).toEqual([]);
    expect((await pool.query('select 1 from notes')).rowCount).toBe(0);
    expect((await pool.query(`select 1 from outbox where stream = 's-4'`)).rowCount).toBe(0);
  });

  it('writes nothing if a unique index of a projection fails, and names its table', async () => {
    await store.append(store.fresh('s-5'), [event('U')], { metadata });
    await expect(store.append(store.fresh('s-6'), [event('U')], { metadata })).rejects.toThrow(
      new ProjectionConflict('notes'),
    );
    expect((await store.read('s-6')).events).toEqual([]);
  });

  it('does not let the application role change the past', async () => {
    await store.append(store.fresh('s-7'), [event('P')], { metadata });
    for (const sql of ['update events set type = type', 'delete from events', 'truncate events']) {
      await expect(pool.query(sql)).rejects.toThrow('permission denied');
      await expect(owner.query(sql)).rejects.toThrow('append only');
    }
  });

  it('decides on the state, writes nothing without events, and throws a rejection', async () => {
    const count = (by: number) => counters.handle('s-count', counted(by), { metadata });
    await owner.query('alter table notes drop constraint notes_type_key');
    expect((await count(4)).stream.state).toBe(4);
    expect((await count(6)).stream.state).toBe(10);
    expect((await count(0)).stream.events).toHaveLength(2);
    await expect(count(1)).rejects.toThrow('too much');
  });

  it('decides again if another writer was faster', async () => {
    const counts = await Promise.all([1, 1, 1].map((by) => counters.handle('s-race', counted(by), { metadata })));
    expect(new Set(counts.map(({ stream }) => stream.state))).toEqual(new Set([1, 2, 3]));
  });

  it('does not skip an event of an unknown type', async () => {
    await store.append(store.fresh('s-8'), [event('FromTheFuture')], { metadata });
    await expect(counters.read('s-8')).rejects.toThrow('unknown type FromTheFuture');
  });
});
