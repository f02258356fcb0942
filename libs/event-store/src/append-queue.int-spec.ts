import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseEpoch } from '#database/epoch';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { CountingIds, FixedClock } from '../../../test/support/fixed-clock.js';
import { EventStore, type Stream, VersionConflict, ProjectionConflict } from './event-store.js';
import type { NewEvent } from './event.js';
import type { InlineProjection } from './inline-projection.js';

const metadata = (stream: string) => ({ transaction_id: `of ${stream}`, actor: 'system:test' });

const notes: InlineProjection = {
  name: 'notes',
  columns: { note: 'text' },
  statement: (rows) => `insert into notes select note from ${rows} returning 1`,
  rows: ({ appended }) => appended.flatMap(({ data }) => ('note' in data ? [{ note: data.note }] : [])),
};

const STATELESS = { initial: null, evolve: () => null, knows: (type: string): type is string => type !== '' };

describe('appends of one turn', () => {
  let database: TestDatabase;
  let owner: pg.Client;
  let pool: pg.Pool;
  let store: EventStore<null, NewEvent>;
  let statements: string[];
  let runs = 0;
  const ids = new CountingIds();

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    await owner.query('create table notes (note text unique); grant all on notes to willcall_app');
    pool = createPool({ databaseUrl: database.url, max: 5, applicationName: 'test', onError: () => undefined });
    store = new EventStore<null, NewEvent>(pool, { ...STATELESS, projections: [notes] }, new FixedClock(), ids);
    const query = pool.query.bind(pool);
    pool.query = ((config: pg.QueryConfig) => {
      // The doorbell's statement has no name.
      if (config.name !== undefined) statements.push(config.name);
      return query(config);
    }) as typeof pool.query;
  });
  beforeEach(async () => {
    statements = [];
    runs += 1;
    await owner.query('truncate notes');
  });
  afterAll(async () => {
    await pool.end();
    await owner.end();
    await database.drop();
  });

  const stream = (name: string): Stream<null, NewEvent> => store.fresh(`${runs}-${name}`);
  const append = (to: Stream<null, NewEvent>, ...events: NewEvent[]) =>
    store.append(to, events, { metadata: metadata(to.name) });
  const happened = (data: object = {}): NewEvent => ({ type: 'Happened', data });

  it('go to the database together, each with its own past, metadata and outbox row', async () => {
    const begun = await Promise.all(Array.from({ length: 11 }, (_, index) => append(stream(`s-${index}`), happened())));
    expect(statements).toEqual(['append.new.1.0x8', 'append.new.1.0x2', 'append.new.1.0x1']);
    const ended = await Promise.all(begun.map((one) => append(one, happened(), happened({ note: one.name }))));
    for (const one of ended) {
      expect(await store.read(one.name)).toEqual(one);
      expect(one.events.map((event) => event.metadata)).toEqual(one.events.map(() => metadata(one.name)));
    }
    const { rows } = await owner.query('select stream_position from outbox where stream = $1 order by id', [
      ended[3]?.name,
    ]);
    expect(rows.map((row: { stream_position: number }) => row.stream_position)).toEqual([1, 2, 3]);
  });

  it('fail separately', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => append(stream(name), happened())));
    if (!a || !b || !c) throw new Error('three were appended');
    await append(b, happened());
    await owner.query(`insert into notes values ('taken')`);
    const [first, conflicting, refused, second] = await Promise.allSettled([
      append(a, happened({ note: 'one' })),
      append(b, happened({ note: 'two' })),
      append(stream('d'), happened({ note: 'taken' })),
      append(c, happened({ note: 'three' })),
    ]);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(conflicting).toMatchObject({ reason: new VersionConflict(b.name) });
    expect(refused).toMatchObject({ reason: new ProjectionConflict('notes') });
    const { rows } = await owner.query<{ note: string }>('select note from notes order by note');
    expect(rows.map(({ note }) => note)).toEqual(['one', 'taken', 'three']);
  });

  it.each([
    ['outside an epoch', {}],
    ['in an epoch', { epoch: new DatabaseEpoch() }],
  ])('end no connection when they fail, %s', async (_, options) => {
    const definition = { ...STATELESS, projections: [notes] };
    const some = new EventStore<null, NewEvent>(pool, definition, new FixedClock(), ids, options);
    const begun = await append(stream('e'), happened());
    await append(begun, happened());
    let ended = 0;
    const count = () => (ended += 1);
    pool.on('remove', count);
    for (let time = 0; time < 3; time += 1) {
      const late = some.append(begun, [happened()], { metadata: metadata(begun.name) });
      await expect(late).rejects.toThrow(VersionConflict);
    }
    pool.off('remove', count);
    expect(ended).toBe(0);
  });

  it('let one of several for the same stream win, whatever else is appended', async () => {
    const plan = fc.array(fc.record({ to: fc.integer({ min: 0, max: 5 }), note: fc.integer({ min: 0, max: 9 }) }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(plan, async (appends) => {
        runs += 1;
        await owner.query('truncate notes');
        const outcomes = await Promise.allSettled(
          appends.map(({ to, note }) => append(stream(`${to}`), happened({ note: `${note}` }))),
        );
        const won = appends.filter((_, index) => outcomes[index]?.status === 'fulfilled');
        expect(new Set(won.map(({ to }) => to)).size).toBe(won.length);
        const { rows } = await owner.query<{ note: string }>('select note from notes');
        expect(rows.map(({ note }) => note).toSorted()).toEqual(won.map(({ note }) => `${note}`).toSorted());
        for (const to of new Set(appends.map((one) => one.to))) {
          const { events } = await store.read(stream(`${to}`).name);
          expect(events).toHaveLength(won.some((one) => one.to === to) ? 1 : 0);
        }
      }),
      { numRuns: 60 },
    );
  });
});
