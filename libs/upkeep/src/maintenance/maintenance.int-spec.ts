import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { Sealer } from '#base/sealing';
import { EventArchive } from '#event-store/event-archive';
import { objectStoreOf } from '#platform/storage.module';
import { REBUILD_LOCK } from '#orders/rebuild';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import type { TestDatabase } from '../../../../test/support/database.js';
import { databaseWithOrders, Tampering } from '../../../../test/support/orders/tampering.js';
import { until } from '../../../../test/support/until.js';
import { MaintenanceBusy, MaintenanceRunner, RunCancelled, type RunWork } from '../maintenance-runner.js';
import { MaintenanceRuns, type RecordedRun } from './maintenance-runs.js';
import { Projections } from './projections.js';
import { LedgerProofs } from '../ledger-proof.js';
import { rebuildWork } from '../rebuilds.js';
import { Checkpoints } from '../verification-checkpoints.js';
import { VerificationRuns } from '../verification-runs.js';
import { verify } from '../verify.js';

const ADA = 'operator:opr_1';
const sealer = new Sealer(Buffer.alloc(32, 7), new SystemRandomness());
const REBUILD = { kind: 'rebuild', projection: 'orders' } as const;

let sound: TestDatabase;
let tampering: Tampering;
let runs: MaintenanceRuns;
let runner: MaintenanceRunner;

beforeAll(async () => {
  sound = await databaseWithOrders();
});
afterAll(() => sound.drop());

beforeEach(async () => {
  tampering = await Tampering.with(sound);
  const ids = new TimeOrderedIds();
  runs = new MaintenanceRuns(tampering.pool, ids);
  runner = new MaintenanceRunner(tampering.pool, ids);
});
afterEach(() => tampering.end());

const requested = async () => (await runs.request(REBUILD, ADA)) ?? expect.fail('it was refused');
const found = async ({ id }: Pick<RecordedRun, 'id'>) => (await runs.find(id)) ?? expect.fail('no such run');

/** Work that goes on until `end` is called, and reports its progress all the time. */
function openWork(): { work: RunWork; started: Promise<void>; end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let begin: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (begin = resolve));
  const work: RunWork = async (_run, report, signal) => {
    report({ step: 'filling', done: 3, total: 12 });
    begin();
    await Promise.race([ended, new Promise((_, reject) => signal.addEventListener('abort', reject))]);
    report({ step: 'swapping', done: 12, total: 12 });
    return { rebuilt: [] };
  };
  return { work, started, end };
}

describe('a request', () => {
  it('is the only one, however many ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => runs.request(REBUILD, ADA)));
    expect(answers.filter((run) => run !== undefined)).toMatchObject([
      { state: 'requested', kind: 'rebuild', projection: 'orders', requested_by: ADA, started_at: null, error: null },
    ]);
    expect(await runs.request({ kind: 'verify' }, ADA)).toBeUndefined();
  });

  it('is refused while a run is at work', async () => {
    await requested();
    const { work, started, end } = openWork();
    const done = runner.runRequested('rebuild', work);
    await started;
    expect(await runs.request({ kind: 'verify' }, ADA)).toBeUndefined();
    end();
    await done;
    expect(await runs.request({ kind: 'verify' }, ADA)).toMatchObject({ state: 'requested' });
  });

  it('that nobody has taken is cancelled at once', async () => {
    const run = await requested();
    expect(await runs.cancel(run.id, ADA)).toMatchObject({ state: 'cancelled', finished_at: expect.any(Date) as Date });
    expect(await runner.runRequested('rebuild', openWork().work)).toBe(false);
    expect(await runs.cancel('run_none', ADA)).toBeUndefined();
  });
});

describe('a run', () => {
  it('rebuilds, shows how far it is, and says what it has done', async () => {
    const run = await requested();
    await tampering.sql('update orders set total_cents = 1');
    const shown: RecordedRun[] = [];
    const work = rebuildWork(tampering, new SystemClock());
    const watched: RunWork = async (claimed, report, signal) => {
      const result = await work(claimed, report, signal);
      await until(async () => shown.push(await found(run)) > 0 && shown.at(-1)?.step === 'swapping');
      return result;
    };
    expect(await runner.runRequested('rebuild', watched)).toBe(true);
    expect(shown.at(-1)).toMatchObject({ state: 'running', step: 'swapping', error: null });
    const { state, done, total, result, started_at, finished_at } = await found(run);
    expect([state, done, result?.rebuilt]).toEqual([
      'done',
      total,
      [{ projection: 'orders', rows: expect.any(Number) as number, seconds: expect.any(Number) as number }],
    ]);
    expect([started_at, finished_at]).toEqual([expect.any(Date), expect.any(Date)]);
    expect(await tampering.found()).toEqual([]);
    expect(await runner.runRequested('rebuild', watched)).toBe(false);
  });

  it('rebuilds everything as parts of one whole', async () => {
    const run = await runs.request({ kind: 'rebuild', projection: 'all' }, ADA);
    await tampering.hand.query('delete from status_history; update orders set total_cents = 1');
    await runner.runRequested('rebuild', rebuildWork(tampering, new SystemClock()));
    const { result, state } = await found(run ?? expect.fail());
    expect(state).toBe('done');
    expect(result?.rebuilt?.map(({ projection }) => projection)).toEqual([
      'orders',
      'status_history',
      'ledger_entries',
      'disputes',
      'money_tasks',
      'ping-stream',
      'work-queues',
      'discovery-stats',
      'recommendations',
    ]);
    expect(await tampering.found()).toEqual([]);
  });

  it('is not running any more once its process is gone, and the next one can begin', async () => {
    const run = await requested();
    const { work, started } = openWork();
    const gone = runner.runRequested('rebuild', work).catch((error: unknown) => error);
    await started;
    await until(async () => (await found(run)).total === 12);
    // As if the process was killed: the server sees that the connection with the lock is closed.
    await tampering.sql(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())`);
    await until(async () => (await found(run)).state === 'failed');
    expect((await found(run)).error).toMatch(/ended before it was done/);
    await gone;
    const next = await requested();
    await runner.runRequested('rebuild', async () => ({ rebuilt: [] }));
    expect([(await found(run)).state, (await found(next)).state]).toEqual(['failed', 'done']);
  });

  it('ends when it is cancelled', async () => {
    const run = await requested();
    const { work, started } = openWork();
    const done = runner.runRequested('rebuild', work);
    await started;
    expect(await runs.cancel(run.id, ADA)).toMatchObject({ state: 'running', cancelled_by: ADA });
    expect(await done).toBe(true);
    expect(await found(run)).toMatchObject({ state: 'cancelled', result: null, error: null });
  });

  it('fails without the message of a fault, and with that of a refusal', async () => {
    const fault = await requested();
    await expect(runner.runRequested('rebuild', () => Promise.reject(new Error('secret')))).rejects.toThrow('secret');
    expect((await found(fault)).error).toBe(
      'It failed unexpectedly. The log of the process that worked on it says why.',
    );
    const refused = await requested();
    await tampering.sql('select pg_advisory_lock($1)', [REBUILD_LOCK]);
    await runner.runRequested('rebuild', rebuildWork(tampering, new SystemClock()));
    expect(await found(refused)).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/running: try again/) as string,
    });
  });

  it('that is begun in a shell is seen, and takes a request for the same', async () => {
    const run = await requested();
    const { work, started, end } = openWork();
    const done = runner.runNow(REBUILD, 'cli:ada', work);
    await started;
    expect(await found(run)).toMatchObject({ state: 'running', requested_by: ADA });
    await expect(runner.runNow(REBUILD, 'cli:bo', work)).rejects.toThrow(MaintenanceBusy);
    end();
    await done;
    await runner.runNow(REBUILD, 'cli:bo', async () => ({ rebuilt: [] }));
    expect(await runs.list({ limit: 10 })).toMatchObject([
      { requested_by: 'cli:bo', state: 'done', projection: 'orders' },
      { id: run.id, state: 'done' },
    ]);
    const other = await requested();
    await runner.runNow({ kind: 'rebuild', projection: 'status_history' }, 'cli:bo', async () => ({ rebuilt: [] }));
    expect(await found(other)).toMatchObject({ state: 'requested' });
  });

  it('in a shell tells that it was cancelled', async () => {
    const { work, started } = openWork();
    const done = runner.runNow(REBUILD, 'cli:ada', work);
    const refused = expect(done).rejects.toThrow(RunCancelled);
    await started;
    const [run] = await runs.list({ limit: 1 });
    await runs.cancel(run?.id ?? '', ADA);
    await refused;
  });
});

describe('a verification', () => {
  const settings = Object.assign(parseSettings({}), { LEDGER_ANCHORS: '' });
  const clock = new SystemClock();
  const archive = new EventArchive(objectStoreOf(settings));
  const verifications = () => {
    const proofs = new LedgerProofs(tampering.pool, sealer, clock, settings, archive);
    return new VerificationRuns(tampering.pool, new TimeOrderedIds(), clock, proofs);
  };
  const never = new AbortController().signal;

  it('says that all agrees, or what does not', async () => {
    const first = await runs.request({ kind: 'verify' }, ADA);
    await verifications().step(never);
    const good = await found(first ?? expect.fail());
    expect([good.state, good.result?.found, good.result?.findings]).toEqual(['done', {}, []]);
    expect(good.result?.checked).toMatchObject({ orders: expect.any(Number) as number });

    const id = await tampering.one(
      'update orders set total_cents = 1 where id = (select min(id) from orders) returning id',
    );
    const second = await runs.request({ kind: 'verify' }, ADA);
    await verifications().step(never);
    const bad = await found(second ?? expect.fail());
    expect([bad.state, bad.result?.found, bad.result?.findings]).toEqual([
      'done',
      { orders: 1 },
      [{ kind: 'orders', id, column: 'total_cents', problem: 'is not what a replay gives' }],
    ]);
  });

  it('ends at once when its process stops, even during a long statement, and goes on in the next', async () => {
    const run = await runs.request({ kind: 'verify' }, ADA);
    await tampering.hand.query('begin; lock table pings');
    const stop = new AbortController();
    const done = verifications().step(stop.signal);
    await until(async () => {
      const waiting = `select from pg_locks where relation = 'pings'::regclass and not granted`;
      return (await tampering.pool.query(waiting)).rowCount === 1;
    });
    stop.abort();
    await done;
    expect(await found(run ?? expect.fail())).toMatchObject({ state: 'requested', error: null, finished_at: null });
    expect(await runs.request({ kind: 'verify' }, ADA)).toBeUndefined();
    await tampering.hand.query('rollback');
    await verifications().step(never);
    const { state, result } = await found(run ?? expect.fail());
    expect([state, result?.found]).toEqual(['done', {}]);
    expect(await tampering.sql('select id from verification_checkpoints')).toEqual([]);
  });

  it('goes on after its last part when its process was killed, but not for ever, and can be cancelled', async () => {
    const run = (await runs.request({ kind: 'verify' }, ADA)) ?? expect.fail();
    const killed = `update maintenance_runs set state = 'running' where id = $1`;
    await tampering.sql(killed, [run.id]);
    const checkpoints = new Checkpoints(tampering.pool, run.id);
    const events = (await verify(tampering.pool, {})).checked;
    await verify(tampering.pool, { onCheckpoint: (checkpoint) => checkpoints.save(checkpoint) });
    // Only the whole tables are left. The orders before are not compared again.
    await tampering.sql('update orders set total_cents = 1');
    expect((await found(run)).state).toBe('requested');
    await verifications().step(never);
    const { state, result } = await found(run);
    expect([state, result?.found]).toEqual(['done', {}]);
    expect(result?.checked).toMatchObject(events);

    await tampering.sql(killed, [run.id]);
    await verify(tampering.pool, { onCheckpoint: (checkpoint) => checkpoints.save(checkpoint) });
    for (let tries = 0; tries < 3; tries += 1) await checkpoints.load();
    expect(await found(run)).toMatchObject({ state: 'failed', error: expect.stringMatching(/ended before/) as string });
    await checkpoints.save((await checkpoints.load()) ?? expect.fail());
    expect((await found(run)).state).toBe('requested');
    expect((await runs.cancel(run.id, ADA))?.state).toBe('cancelled');
  });
});

describe('the projections', () => {
  const byName = async () => {
    const list = await new Projections(tampering.pool).list();
    return Object.fromEntries(list.map((projection) => [projection.name, projection]));
  };

  it('say how far they are behind', async () => {
    const { rows } = await tampering.pool.query<{ feed: number; outbox: number }>(
      'select (select count(*) from feed) as feed, (select count(*) from outbox) as outbox',
    );
    const { feed = 0, outbox = 0 } = rows[0] ?? {};
    const before = await byName();
    const inLog = { position: feed + outbox, end: feed + outbox, behind: 0, behind_seconds: 0, follows: 'log' };
    expect(before['orders']).toEqual({ name: 'orders', ...inLog, rebuildable: true, rebuilt_at: null });
    expect(before['feed']).toMatchObject({ position: feed, end: feed + outbox, behind: outbox, rebuildable: false });
    expect(before['ping-stream']).toMatchObject({ position: 0, end: feed, behind: feed });
    expect(before['ping-stream']?.behind_seconds).toBeGreaterThan(1);
    await tampering.stream();
    expect((await byName())['ping-stream']).toMatchObject({ position: feed, behind: 0, behind_seconds: 0 });
  });

  it('say how far the ledger is chained', async () => {
    const [feed] = await tampering.sql('select count(*) as id from feed');
    expect((await byName())['ledger']).toMatchObject({
      follows: 'feed',
      position: 0,
      end: Number(feed),
      behind: Number(feed),
    });
    await tampering.sql(`insert into ledger select 7, ''::bytea, 0, ''::bytea, now(), ''::bytea`);
    const ledger = (await byName())['ledger'];
    expect(ledger).toMatchObject({ position: 7, behind: Number(feed) - 7, rebuildable: false, rebuilt_at: null });
    expect(ledger?.behind_seconds).toBeGreaterThan(1);
  });

  it('say how far the slowest webhook is behind, if there is one', async () => {
    await tampering.stream();
    expect((await byName())['webhooks']).toMatchObject({ position: null, behind: null, behind_seconds: null });
    const [, second] = await tampering.sql('select position as id from ping_stream order by position');
    await tampering.sql(
      `insert into webhooks (id, url, rate_per_second, from_position, position, created_at, updated_at)
       values ('whk_1', 'https://one.example', 100, 0, $1, now(), now())`,
      [second],
    );
    const { rows } = await tampering.pool.query<{ entries: number }>('select count(*) as entries from ping_stream');
    expect((await byName())['webhooks']).toMatchObject({
      position: Number(second),
      behind: (rows[0]?.entries ?? 0) - 2,
    });
  });

  it('say when they were last rebuilt', async () => {
    await runner.runNow(REBUILD, ADA, async () => ({ rebuilt: [] }));
    await runner
      .runNow({ kind: 'rebuild', projection: 'ping-stream' }, ADA, () => Promise.reject(new Error()))
      .catch(() => undefined);
    const once = await byName();
    expect(once['orders']?.rebuilt_at).toMatch(/Z$/);
    expect([once['status_history']?.rebuilt_at, once['ping-stream']?.rebuilt_at]).toEqual([null, null]);
    await runner.runNow({ kind: 'rebuild', projection: 'all' }, ADA, async () => ({ rebuilt: [] }));
    const all = await byName();
    expect(all['recommendations']?.rebuilt_at).toMatch(/Z$/);
    expect(all['webhooks']?.rebuilt_at).toBeNull();
  });
});
