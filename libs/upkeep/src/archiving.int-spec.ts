import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { createPool } from '#database/pool';
import { EventArchive, UnreadableArchive } from '#event-store/event-archive';
import { EventLog } from '#event-store/event-log';
import { EventStore } from '#event-store/event-store';
import { readFeed } from '#event-store/feed-reader';
import { LedgerKeys } from '#event-store/hash-chain';
import { ORDER_STREAM } from '#orders/order-stream';
import { rebuild } from '#orders/rebuild';
import type { ObjectPart } from '#platform/object-store';
import { FolderObjectStore } from '#platform/storage/folder-object-store';
import { applicationUrl, type TestDatabase } from '../../../test/support/database.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { databaseWithOrders, Tampering } from '../../../test/support/orders/tampering.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { until } from '../../../test/support/until.js';
import { verify } from './verify.js';
import { archiveOrders } from './archiving.js';
import { rewritePartitions } from './partition-rewrite.js';

const BEFORE = new Date('2030-01-01T00:00:00.000Z');
const proof = { keys: new LedgerKeys([]) };

let sound: TestDatabase;
let tampering: Tampering;
let folder: string;
let files: FolderObjectStore;
let archive: EventArchive;

beforeAll(async () => {
  sound = await databaseWithOrders();
});
afterAll(() => sound.drop());

beforeEach(async () => {
  tampering = await Tampering.with(sound);
  folder = temporaryFolder('archive');
  files = new FolderObjectStore(folder);
  archive = new EventArchive(files);
  await tampering.stream();
  // All that is due has been done.
  await tampering.sql(`update pings set state = 'delivered', next_try_at = null`);
  return async () => {
    await tampering.end();
    rmSync(folder, { recursive: true });
  };
});

/** The lock of a verification ends a moment after it. */
const archived = () => until(() => archiveOrders(tampering.pool, files, { before: BEFORE, segmentBytes: 20_000 }));
const differences = async () => (await verify(tampering.pool, { ...proof, archive })).differences;
const orderStore = () =>
  new EventStore(tampering.pool, ORDER_STREAM, new FixedClock(), new TimeOrderedIds(), { archive });
const streams = () => tampering.sql('select distinct stream as id from events order by 1');
const count = async (where: string) => Number(await tampering.one(`select count(*) as id from events where ${where}`));
const ARCHIVED = `metadata::text = 'null'`;
/** An archived order with several events, some without texts. */
const ONE = `select stream as id from archived_streams where events > 2 order by stream limit 1`;

/** Everything that reads events. */
async function read() {
  const names = await streams();
  const log = new EventLog(tampering.pool, archive);
  return {
    orders: await orderStore().readAll(names),
    one: await orderStore().read(names[0] ?? ''),
    logged: await Promise.all(names.slice(0, 20).map((name) => log.stream(name))),
    feed: await readFeed(tampering.pool, { after: 0, limit: 1e6 }, archive),
  };
}

describe('archived orders', () => {
  it('are read like others: their texts are in files, and the log has the rows', async () => {
    const before = await read();
    const events = await count('true');
    const done = await archived();
    expect(done.segments).toBeGreaterThan(2);
    expect(done.orders).toBeGreaterThan(10);
    expect(await count('true')).toBe(events);
    expect(await count(ARCHIVED)).toBeGreaterThan(done.orders);
    expect(await read()).toEqual(before);
    expect(await differences()).toEqual([]);
    expect((await verify(tampering.pool, { ...proof, archive })).archived).toBe(done.segments);
  });

  it('leave out what somebody still has to do', async () => {
    await archived();
    const open = 'select id from orders where next_action is not null or due_at is not null';
    expect(await tampering.sql(open)).not.toEqual([]);
    const both = `select stream as id from archived_streams where substr(stream, 7) in (${open})`;
    expect(await tampering.sql(both)).toEqual([]);
  });

  // That the ping stream is what its statement makes of archived events is checked by `verify`.
  it('are rebuilt from the files', async () => {
    await archived();
    for (const table of ['orders', 'status_history', 'ledger_entries'] as const) {
      await tampering.sql(`delete from ${table}`);
      await rebuild(tampering.pool, table, undefined, archive);
    }
    expect(await differences()).toEqual([]);
  });

  it('take further events, and are not archived again', async () => {
    await archived();
    const stream = await tampering.one(ONE);
    const store = orderStore();
    const before = await store.read(stream);
    const event = { type: 'PersonalDataErased', data: {} } as const;
    const metadata = { transaction_id: 'tx-late', actor: 'staff:administrator' };
    const both = await Promise.allSettled([1, 2].map(() => store.append(before, [event], { metadata })));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const after = await store.read(stream);
    expect(after.events.slice(0, -1)).toEqual(before.events);
    expect(after.events.at(-1)).toMatchObject({ ...event, metadata });
    expect((await verify(tampering.pool, { ...proof, archive })).found['hash chain']).toBeUndefined();
    expect(await archived()).toMatchObject({ orders: 0 });
  });

  it('are an error for a reader without the file, and never an order without events', async () => {
    await archived();
    const stream = await tampering.one(ONE);
    rmSync(join(folder, 'archive'), { recursive: true });
    await expect(orderStore().read(stream)).rejects.toThrow(UnreadableArchive);
    await expect(rebuild(tampering.pool, 'orders', undefined, archive)).rejects.toThrow(UnreadableArchive);
    expect(await differences()).toContainEqual(
      expect.objectContaining({ kind: 'archive', problem: 'the file is missing' }),
    );
  });
});

describe('verify', () => {
  it('names the order and the file of a changed byte', async () => {
    await archived();
    const stream = await tampering.one(ONE);
    const key = await tampering.one('select segment as id from archived_streams where stream = $1', [stream]);
    const start = Number(await tampering.one('select start as id from archived_streams where stream = $1', [stream]));
    const content = readFileSync(join(folder, key));
    const at = content.indexOf('received_at', start) + 'received_at'.length;
    content[at < start ? start + 200 : at] = 'X'.charCodeAt(0);
    writeFileSync(join(folder, key), content);
    const found = await differences();
    expect(found).toContainEqual({ kind: 'archive', id: key, problem: 'the file is not the one that was written' });
    expect(found).toContainEqual({
      kind: 'hash chain',
      id: stream,
      at: expect.any(Number) as number,
      problem: 'the event does not fit its hash',
    });
  });

  it('finds a changed record of the archive', async () => {
    await archived();
    const stream = await tampering.one(
      `update archived_streams set head = '\\x00' where stream = (${ONE}) returning stream as id`,
    );
    const found = await differences();
    expect(found.map(({ kind, problem }) => `${kind}: ${problem}`)).toEqual([
      'archive: the heads of its streams are not those of its Merkle root',
      'archive: the last archived event is not that of the log',
    ]);
    expect(found.at(-1)?.id).toBe(stream);
  });

  it('finds texts that are nowhere', async () => {
    await archived();
    const stream = await tampering.one(ONE);
    await tampering.sql('delete from archived_streams where stream = $1', [stream]);
    expect(await differences()).toContainEqual(expect.objectContaining({ kind: 'hash chain', id: stream }));
  });
});

describe('the archiving', () => {
  /** Reads the file back wrongly. */
  class BrokenStore extends FolderObjectStore {
    protected override async open(key: string, part?: ObjectPart): Promise<Readable> {
      return super.open(key, part ?? { start: 1, bytes: 100 });
    }
  }

  /** The connection that writes is lost between the file and its record. */
  class DyingStore extends FolderObjectStore {
    protected override async write(key: string, body: Readable, bytes: number): Promise<void> {
      await super.write(key, body, bytes);
      await tampering.sql(`select pg_terminate_backend(l.pid)::text as id from pg_locks l
        where l.locktype = 'advisory' and l.objid = 8144 and l.pid <> pg_backend_pid()
          and l.database = (select oid from pg_database where datname = current_database())`);
    }
  }

  it.each([
    ['a file that is not what was written', () => new BrokenStore(folder)],
    ['a crash between a file and its record', () => new DyingStore(folder)],
  ])('loses nothing by %s, and goes on the next time', async (_, broken) => {
    await expect(archiveOrders(tampering.pool, broken(), { before: BEFORE, segmentBytes: 20_000 })).rejects.toThrow();
    expect(await count(ARCHIVED)).toBe(0);
    expect(await differences()).toEqual([]);
    expect((await archived()).orders).toBeGreaterThan(10);
    expect(await differences()).toEqual([]);
  });

  it('leaves no other way to change the log, not even to its owner', async () => {
    await archived();
    const stream = await tampering.one(ONE);
    const owner = tampering.pool;
    const whole = `update events set metadata = 'null' where ${ARCHIVED} is false and stream not in (select stream from archived_streams)`;
    for (const statement of [
      whole,
      `update events set type = 'Other' where stream = '${stream}'`,
      `update events set hash = '', metadata = 'null' where stream = '${stream}'`,
      `update events set metadata = '{}' where ${ARCHIVED}`,
      `delete from events where stream = '${stream}'`,
    ]) {
      await expect(owner.query(statement)).rejects.toThrow('is append only');
    }
    const application = createPool({
      databaseUrl: applicationUrl(tampering.url),
      max: 1,
      applicationName: 'test',
      onError: () => undefined,
    });
    await expect(application.query(whole)).rejects.toThrow('permission denied');
    await expect(application.query('delete from archived_streams')).rejects.toThrow('permission denied');
    await application.end();
  });
});

describe('a partition whose month is over', () => {
  const endedBy = new Date('2100-01-01T00:00:00.000Z');

  it('is written anew while events are added to it, and gives the space of its texts back', async () => {
    await archived();
    const before = await count('true');
    const names = await streams();
    let [added, isOver] = [0, false];
    const adding = (async () => {
      for (const store = orderStore(); !isOver; added += 1) {
        const order = await store.read(names[added % names.length] ?? '');
        const event = { type: 'PersonalDataErased', data: {} } as const;
        await store.append(order, [event], {
          metadata: { transaction_id: `tx-${added}`, actor: 'staff:administrator' },
        });
      }
    })();
    await until(() => added > 0);
    const [rewritten, ...more] = await rewritePartitions(tampering.pool, { endedBy });
    isOver = true;
    await adding;
    expect([rewritten?.name, rewritten?.isBusy, more]).toEqual(['events_before', false, []]);
    expect(rewritten?.bytes).toBeLessThan(0.8 * (rewritten?.bytesBefore ?? 0));
    expect(await count('true')).toBe(before + added);
    const { found } = await verify(tampering.pool, { ...proof, archive });
    expect([found['hash chain'], found.feed, found.archive]).toEqual([undefined, undefined, undefined]);
    await expect(tampering.pool.query('truncate events_before')).rejects.toThrow('is append only');
    await expect(tampering.pool.query('delete from events_before')).rejects.toThrow('is append only');
    expect(
      await tampering.sql(
        `select indexrelid::regclass::text as id from pg_index where indrelid = 'events_before'::regclass`,
      ),
    ).toEqual(['events_before_pkey']);
    expect(await rewritePartitions(tampering.pool, { endedBy })).toEqual([]);
  });

  it('stays as it is while somebody reads it all the time', async () => {
    await archived();
    const file = () => tampering.one(`select pg_relation_filepath('events_before') as id`);
    const before = await file();
    await tampering.hand.query('begin; select from events_before limit 1');
    const wait = async () => undefined;
    expect(await rewritePartitions(tampering.pool, { endedBy, wait })).toMatchObject([{ isBusy: true }]);
    expect(await file()).toBe(before);
    await tampering.hand.query('commit');
    expect(await tampering.sql(`select relname as id from pg_class where relname like '%slim%'`)).toEqual([]);
    expect(await rewritePartitions(tampering.pool, { endedBy })).toMatchObject([{ isBusy: false }]);
    expect(await differences()).toEqual([]);
  });

  it('waits until a vacuum has given way', async () => {
    await archived();
    await tampering.hand.query('begin; lock table events_before in share update exclusive mode');
    const again = () => Promise.reject(new Error('It did not wait.'));
    const rewriting = rewritePartitions(tampering.pool, { endedBy, wait: again });
    const waiting = `select relation::regclass::text as id from pg_locks where waitstart < clock_timestamp() - interval '0.1 s'`;
    await until(async () => (await tampering.sql(waiting)).includes('events_before'));
    await tampering.hand.query('commit');
    expect(await rewriting).toMatchObject([{ isBusy: false }]);
  });

  it('has the events that came until the last moment', async () => {
    await archived();
    const before = await count('true');
    const stream = await tampering.one(ONE);
    await tampering.hand.query('begin; select from events_before limit 1');
    const wait = async () => {
      const order = await orderStore().read(stream);
      const metadata = { transaction_id: 'tx-late', actor: 'staff:administrator' };
      await orderStore().append(order, [{ type: 'PersonalDataErased', data: {} }], { metadata });
      await tampering.hand.query('commit');
    };
    expect(await rewritePartitions(tampering.pool, { endedBy, wait })).toMatchObject([{ isBusy: false }]);
    expect(await count('true')).toBe(before + 1);
  });

  it('is left alone before, and without archived orders', async () => {
    expect(await rewritePartitions(tampering.pool, { endedBy })).toEqual([]);
    await archived();
    expect(await rewritePartitions(tampering.pool, { endedBy: new Date('2020-01-01T00:00:00.000Z') })).toEqual([]);
  });
});
