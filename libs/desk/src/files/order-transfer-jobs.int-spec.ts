import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';
import { createPool } from '#database/pool';
import { EventArchive } from '#event-store/event-archive';
import { FeedBacklog } from '#event-store/feed-backlog';
import { CardDataPolicy } from '#orders/card-data-policy';
import { FolderObjectStore } from '#platform/storage/folder-object-store';
import { OrderRules } from '#orders/order-changes';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { OrderFinder } from '#orders/order-finder';
import { ExportWork } from './export-work.js';
import { ImportWork } from './import-work.js';
import { JobFiles } from './job-files.js';
import { OrderExport } from './order-export.js';
import { OrderImport } from './order-import.js';
import { OrderTransferJobs } from '../order-transfer-jobs.js';
import { JobEnded, OrderTransferLeases } from './order-transfer-leases.js';
import { OrderTransferRunner } from './order-transfer-runner.js';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { applicationUrl, createTestDatabase, ownerPool, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { until } from '../../../../test/support/until.js';
import { linesText, orderLines } from '../../../../test/support/orders/order-lines.js';

// Three batches.
const ORDERS = 120;
const NEVER = new AbortController().signal;
const ACCESS = { sellers: undefined, buyers: true };

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let sealer: Sealer;
let files: JobFiles;
let leases: OrderTransferLeases;
let jobs: OrderTransferJobs;
let exporting: OrderExport;
const clock = new FixedClock(new Date().toISOString());

class SmallBatches extends ImportWork {
  override readonly batchLines = 50;
}

/** An import whose process dies when so many batches are begun: before it commits one, or after. */
class DyingImport extends OrderImport {
  batches = 0;
  diesAt = Infinity;
  afterCommit = false;

  override async write(...given: Parameters<OrderImport['write']>) {
    this.batches += 1;
    const isLast = this.batches === this.diesAt;
    if (isLast && !this.afterCommit) throw new Error('killed');
    const outcomes = await super.write(...given);
    if (isLast) throw new Error('killed');
    return outcomes;
  }
}
let importing: DyingImport;
let imports: ImportWork;
let runner: OrderTransferRunner;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = ownerPool(database.url);
  pool = createPool({
    databaseUrl: applicationUrl(database.url),
    max: 5,
    applicationName: 'test',
    onError: () => undefined,
  });
  sealer = new Sealer(randomBytes(32), new SystemRandomness());
  const policy = new CardDataPolicy({ CARD_DATA_IN_FREE_FIELDS: 'mask' } as Settings);
  importing = new DyingImport(sealer, new OrderRules(loadStatusCatalogue()), policy, clock, new TimeOrderedIds());
  exporting = new OrderExport(
    pool,
    new OrderFinder(pool, clock, sealer),
    sealer,
    new EventArchive(new FolderObjectStore(tmpdir())),
  );
  files = new JobFiles(pool);
  leases = new OrderTransferLeases(pool);
  jobs = new OrderTransferJobs(pool, clock, new TimeOrderedIds(), sealer, files);
  // No leader moves events to the feed here.
  const backlog = { oldestMs: () => Promise.resolve(0) } as FeedBacklog;
  imports = new SmallBatches(pool, importing, files, leases, backlog);
  runner = new OrderTransferRunner(pool, leases, new ExportWork(pool, exporting, files, leases, sealer), imports);
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

/** One that has not tidied up yet. */
const idleRunner = () =>
  new OrderTransferRunner(pool, leases, new ExportWork(pool, exporting, files, leases, sealer), imports);

async function* pieces(text: Buffer) {
  for (let from = 0; from < text.length; from += 65_000) yield text.subarray(from, from + 65_000);
}

const job = async (id: string) => {
  const { rows } = await owner.query<{ state: string; total: number; done: number; failed: number }>(
    'select state, total, done, failed from jobs where id = $1',
    [id],
  );
  return rows[0];
};
const results = async (id: string) => {
  const { rows } = await owner.query<{ number: number; order_id: string; outcome: string; reason: string | null }>(
    'select number, order_id, outcome, reason from job_items where job_id = $1 order by number',
    [id],
  );
  return rows;
};
const expireLease = (id: string) =>
  owner.query(`update job_files set leased_until = now() - interval '1 s' where job_id = $1`, [id]);
const parts = async (id: string) => (await owner.query('select from job_file_parts where job_id = $1', [id])).rowCount;
/** As `Jobs.approve` does it. */
const approved = async (id: string) => {
  await owner.query(`update jobs set state = 'running' where id = $1 and state = 'waiting_for_approval'`, [id]);
  return id;
};
const importedText = async (text: Buffer) => await approved(await jobs.beginImport(pieces(text), 'token:x'));
const imported = (lines: Parameters<typeof linesText>[0]) => importedText(linesText(lines));
const exported = async (arguments_: { format: 'csv' | 'ndjson' | 'xlsx' }, total: number, selection = {}) => {
  const who = { access: ACCESS, inClear: true, requestedBy: 'token:x' };
  return await approved(
    await jobs.beginExport({ arguments: arguments_, selection, shownSelection: {}, ...who }, total),
  );
};
const content = async (id: string) => {
  const file = await jobs.find(id);
  const read: Buffer[] = [];
  if (file) for await (const part of jobs.read(file)) read.push(part);
  return { file, bytes: Buffer.concat(read) };
};

describe('an import', () => {
  it.each([
    { diesAt: 1, afterCommit: false, seed: 11 },
    { diesAt: 2, afterCommit: true, seed: 12 },
    { diesAt: 3, afterCommit: false, seed: 13 },
  ])('that is killed ($diesAt, committed: $afterCommit) goes on without doing a line twice', async (death) => {
    const lines = orderLines(ORDERS, death.seed).map((line) => ({
      ...line,
      id: line.id.replace(/.$/, String(death.diesAt)),
    }));
    for (const { events } of lines) {
      const { data } = events[0];
      data['client_id'] = `client-of-${death.diesAt}`;
    }
    const id = await imported(lines);
    expect(await job(id)).toEqual({ state: 'running', total: ORDERS, done: 0, failed: 0 });
    Object.assign(importing, death, { batches: 0 });
    const claimed = await leases.claim();
    expect(claimed?.id).toBe(id);
    await expect(imports.run(claimed!, NEVER)).rejects.toThrow('killed');
    expect(await leases.claim()).toBeUndefined();
    importing.diesAt = Infinity;
    await expireLease(id);
    const next = await leases.claim();
    const before = await results(id);
    // The one that was only thought dead writes nothing more.
    await expect(imports.run(claimed!, NEVER)).rejects.toThrow(JobEnded);
    expect(await results(id)).toEqual(before);
    await imports.run(next!, NEVER);
    expect(await job(id)).toEqual({ state: 'done', total: ORDERS, done: ORDERS, failed: 0 });
    // An order that was written twice would be unchanged the second time.
    const journal = await results(id);
    expect(journal.map(({ order_id: order }) => order)).toEqual(lines.map((line) => line.id));
    expect(new Set(journal.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
    expect(await parts(id)).toBe(0);
  });

  it('ends when somebody cancels it, and keeps what it has written', async () => {
    const lines = orderLines(ORDERS, 21).map((line) => ({ ...line, id: line.id.replace(/.$/, 'c') }));
    for (const { events } of lines) events[0].data['client_id'] = 'client-c';
    const id = await imported(lines);
    const claimed = await leases.claim();
    Object.assign(importing, { batches: 0, diesAt: 2, afterCommit: true });
    await expect(imports.run(claimed!, NEVER)).rejects.toThrow('killed');
    importing.diesAt = Infinity;
    await owner.query(`update jobs set state = 'cancelled' where id = $1`, [id]);
    await expireLease(id);
    expect(await leases.claim()).toBeUndefined();
    expect(await job(id)).toMatchObject({ state: 'cancelled', done: 100 });
    expect(await parts(id)).toBeGreaterThan(0);
    await idleRunner().step(NEVER);
    expect(await parts(id)).toBe(0);
  });

  it('names the lines that it refuses', async () => {
    const [line] = orderLines(1, 31);
    const id = await importedText(Buffer.from(`{\n${JSON.stringify({ ...line, id: 'x' })}\n\n`));
    await runner.step(NEVER);
    expect(await job(id)).toEqual({ state: 'done', total: 2, done: 0, failed: 2 });
    expect(await results(id)).toEqual([
      { number: 1, order_id: '', outcome: 'refused', reason: 'line 1: the line is not JSON' },
      { number: 2, order_id: 'x', outcome: 'refused', reason: 'line 2: id: must be the id of an order' },
    ]);
  });

  it('of an upload that breaks off leaves nothing', async () => {
    const broken = (async function* () {
      yield Buffer.from('{}\n');
      throw new Error('broken off');
    })();
    const open = () =>
      owner.query(`select from jobs where kind = 'import_orders' and state in ('running', 'waiting_for_approval')`);
    await expect(jobs.beginImport(broken, 'token:x')).rejects.toThrow('broken off');
    expect((await open()).rowCount).toBe(0);
  });

  it('fails soon after its api has died, not while bytes arrive', async () => {
    let die = () => undefined as void;
    const died = new Promise<void>((resolve) => (die = resolve));
    const upload = (async function* () {
      yield Buffer.from('{}\n');
      await died;
    })();
    const beginning = jobs.beginImport(upload, 'token:x');
    const running = () =>
      owner.query<{ id: string }>(`select id from jobs where state in ('running', 'waiting_for_approval')`);
    await until(async () => (await running()).rowCount === 1);
    const [{ id } = { id: '' }] = (await running()).rows;
    const { rows } = await owner.query<{ left: number }>(
      'select extract(epoch from leased_until - now())::float8 as left from job_files where job_id = $1',
      [id],
    );
    expect(rows[0]?.left).toBeGreaterThan(60);
    await idleRunner().step(NEVER);
    expect(await job(id)).toMatchObject({ state: 'waiting_for_approval' });
    await expireLease(id);
    await idleRunner().step(NEVER);
    expect(await job(id)).toMatchObject({ state: 'failed' });
    die();
    await beginning;
    expect(await job(id)).toMatchObject({ state: 'failed', total: 0 });
  });

  it('is forgotten with its lines after 90 days, as other jobs are', async () => {
    const ended = async (age: string) => {
      const id = await importedText(Buffer.from('{\n{\n'));
      await runner.step(NEVER);
      await owner.query(`update jobs set finished_at = now() - $2::interval where id = $1`, [id, age]);
      return id;
    };
    const [old, recent] = [await ended('91 days'), await ended('89 days')];
    await idleRunner().step(NEVER);
    expect([await job(old), await results(old)]).toEqual([undefined, []]);
    expect(await job(recent)).toMatchObject({ state: 'done' });
    expect(await results(recent)).toHaveLength(2);
  });

  it('does not begin before its upload is complete', async () => {
    let end = () => undefined as void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const slow = (async function* () {
      yield Buffer.from('{}\n');
      await ended;
    })();
    const beginning = jobs.beginImport(slow, 'token:x');
    const begun = () =>
      owner.query<{ id: string }>(`select id from jobs where state in ('running', 'waiting_for_approval')`);
    await until(async () => (await begun()).rowCount === 1);
    expect(await leases.claim()).toBeUndefined();
    end();
    const id = await approved(await beginning);
    await runner.step(NEVER);
    expect(await job(id)).toEqual({ state: 'done', total: 1, done: 0, failed: 1 });
  });
});

describe('an export', () => {
  it('is a file that can be fetched when it is complete, for a day', async () => {
    const id = await exported({ format: 'ndjson' }, 5);
    expect((await content(id)).file).toBeUndefined();
    await runner.step(NEVER);
    const { file, bytes } = await content(id);
    const direct: Buffer[] = [];
    const request = { format: 'ndjson', selection: {}, access: ACCESS, isMasked: false } as const;
    for await (const piece of exporting.bytes(request)) direct.push(piece);
    expect(bytes.equals(Buffer.concat(direct))).toBe(true);
    expect(file).toMatchObject({ in_clear: true, bytes: bytes.length });
    const orders = bytes.toString().split('\n').length - 1;
    expect(await job(id)).toEqual({ state: 'done', total: orders, done: orders, failed: 0 });
    const { rows } = await owner.query<{ request: Buffer | null }>('select request from job_files where job_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ request: null }]);
    clock.advance(25 * 3_600_000);
    expect(await jobs.find(id)).toBeUndefined();
    clock.advance(-25 * 3_600_000);
  });

  it('begins again when its worker dies, and the parts of the first attempt do not count', async () => {
    const id = await exported({ format: 'csv' }, 5, { where: { field: 'quantity', op: '=', value: 2 } });
    const first = await leases.claim();
    await files.write(id, first!.attempt, pieces(Buffer.alloc(3_000_000, 'x')));
    await expireLease(id);
    await runner.step(NEVER);
    const { bytes } = await content(id);
    expect(bytes.toString()).toMatch(/^\uFEFFid,ref_id,placed_at \(UTC\),updated_at \(UTC\),status,/);
    expect(bytes.includes('xxxx')).toBe(false);
    await expect(leases.report(first!)).rejects.toThrow(JobEnded);
  });

  it('stops with its process, and another worker does it', async () => {
    const id = await exported({ format: 'xlsx' }, 5);
    const stopping = new AbortController();
    stopping.abort();
    await runner.step(stopping.signal);
    expect(await job(id)).toMatchObject({ state: 'running' });
    await runner.step(NEVER);
    expect(await job(id)).toMatchObject({ state: 'done' });
    expect((await content(id)).bytes.subarray(0, 2).toString()).toBe('PK');
  });
});
