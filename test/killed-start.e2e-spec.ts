import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { SettableClock } from './support/stand/settable-clock.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { pressCtrlC, processesIn, runWillcall, untilGone, untilWelcome, type Willcall } from './support/willcall.js';

// The supervisor, the database and the sample are real. Api and worker are stubs, which start at once.
const START = 'test-programs/stubbed-start.js';
const KILLS = 20;
// All twenty take minutes of processor time, so a run tries every seventh one, and one of the double starts. KILLS=all tries them all.
const EVERY = process.env['KILLS'] === 'all' ? 1 : 7;
const AT_ONCE = 2;
const SEED = 20_261_122;
// Other tests of this machine may run at the same time.
const TIMEOUT_MS = 600_000;

const randomness = new SeededRandomness(SEED);
let folder: string;
beforeAll(() => void (folder = temporaryFolder('killed')));
afterAll(() => {
  for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A folder for one installation. Under root, every second one is in a folder that PostgreSQL's account cannot enter. */
function installationFolder(number: number): string {
  // All names have the same length, so that none is a prefix of another: processes are found by the path.
  const place = join(folder, `${number}`.padStart(4, '0'));
  mkdirSync(place);
  chmodSync(place, number % 2 === 1 && userInfo().uid === 0 ? 0o700 : 0o755);
  return place;
}

const commandOf = (pid: number) =>
  execFileSync('ps', ['-o', 'pid=,ppid=,stat=,etimes=,args=', '-p', `${pid}`], { encoding: 'utf8' });

// The sample has no listings of past events, and most events start on the half hour.
const HALF_HOUR_MS = 1_800_000;
const sampleTime = Math.floor(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS + 1_000;

/** Every start begins at the same time of its own clock, so all of them must have the same sample. */
function startIn(place: string): Willcall {
  const clock = new SettableClock(folder, `${basename(place)}-${startsCounted++}`);
  clock.setAhead(sampleTime - Date.now());
  return runWillcall(START, place, clock.environment);
}
let startsCounted = 0;

/** Ctrl-C ends it, and no process or file of an earlier start remains. Then its files are removed. */
async function stopped(willcall: Willcall, place: string, told: string): Promise<void> {
  pressCtrlC(willcall);
  expect(await willcall.ended, told).toEqual({ code: 0, signal: null });
  // The watchdog of a killed start takes up to 10 s.
  await untilGone(place).catch(() => expect.fail(`${told}: left are ${processesIn(place).map(commandOf).join('; ')}`));
  expect(readdirSync(place), told).toEqual(['data']);
  // The worker writes the anchors, if it ran for long enough.
  const files = readdirSync(join(place, 'data')).filter((name) => name !== 'ledger-anchors.jsonl');
  expect(files.toSorted(), told).toEqual(['addresses.json', 'passes', 'postgres', 'secrets.json']);
  await rm(place, { recursive: true });
}

const SAMPLE = ['taxonomies', 'genres', 'venues', 'performers', 'events', 'postal_codes'];

/** How much of the sample the running installation has. */
async function sampleIn(place: string): Promise<unknown> {
  const cluster = join(place, 'data/postgres');
  const port = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3];
  const password = readFileSync(join(cluster, 'superuser.password'), 'utf8').trim();
  const client = new pg.Client({ connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/willcall` });
  await client.connect();
  try {
    const counts = SAMPLE.map((kind) => `(select count(*) from discovery_${kind}) as ${kind}`);
    const tables = ['listings', 'orders', 'events'].map((table) => `(select count(*) from ${table}) as ${table}`);
    const rest = `${tables.join(', ')}, (select count(*) from sample_data_load) as unfinished`;
    return (await client.query(`select ${counts.join(', ')}, ${rest}`)).rows[0];
  } finally {
    await client.end();
  }
}

type Whole = Readonly<{ sample: unknown; spanMs: number }>;

/** Two first starts at once: the result of the one that runs, and its duration. The other one reports that it does not run. */
async function startTwice(number: number, apartMs: number): Promise<Whole> {
  const place = installationFolder(number);
  const told = `${apartMs} ms apart`;
  const began = performance.now();
  const first = startIn(place);
  await sleep(apartMs);
  const both = [first, startIn(place)];
  const refused = await Promise.race(both.map((one) => one.ended.then(() => one)));
  const running = both.find((one) => one !== refused) ?? first;
  await untilWelcome(running);
  const spanMs = performance.now() - began;
  expect(await refused.ended, told).toEqual({ code: 1, signal: null });
  expect(refused.output(), told).toMatch(/^Another Willcall runs on DATA_DIR \S+ \(PostgreSQL is process \d+\)\.\n$/);
  const sample = await sampleIn(place);
  await stopped(running, place, told);
  return { sample, spanMs };
}

/** All of the work, with limited concurrency. */
async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

let wholes: Whole[] = [];

it(
  'of two first starts at once one runs, and the other says so in one sentence',
  async () => {
    const all = [0, randomness.integer(2_000)];
    const tried = EVERY === 1 ? all : [all[randomInt(all.length)] ?? 0];
    wholes = await Promise.all(tried.map((apartMs, number) => startTwice(1_000 + number, apartMs)));
    for (const { sample } of wholes) expect(sample).toEqual(wholes[0]?.sample);
    expect(wholes[0]?.sample).toMatchObject({
      unfinished: '0',
      postal_codes: expect.stringMatching(/^4\d{4}$/) as string,
    });
  },
  TIMEOUT_MS,
);

it(
  'starts, with nothing left of the first start, after that was killed at any moment',
  async () => {
    const spanMs = Math.min(...wholes.map((whole) => whole.spanMs));
    const moments = Array.from({ length: KILLS }, (_, at) => ({
      at,
      ms: ((at + randomness.fraction()) / KILLS) * spanMs,
    }));
    const first = randomInt(EVERY);
    const tried = moments.filter(({ at }) => at % EVERY === first);
    console.log(`Of the ${KILLS} moments this run tries ${tried.map(({ at }) => at).join(', ')}.`);
    let killedBeforeWelcome = 0;
    await sideBySide(tried, async ({ at, ms }) => {
      const place = installationFolder(at);
      const killed = startIn(place);
      const gone = once(killed.process, 'exit');
      // The moment itself is tested here, so there is no condition to wait for.
      await sleep(ms);
      killed.process.kill('SIGKILL');
      await gone;
      if (!killed.output().includes('is ready')) killedBeforeWelcome += 1;

      const again = startIn(place);
      const told = `killed after ${Math.round(ms)} of ${Math.round(spanMs)} ms`;
      await untilWelcome(again).catch((error: unknown) => expect.fail(`${told}: ${String(error)}`));
      expect(again.output(), told).not.toMatch(/^\s+at /m);
      expect(await sampleIn(place), told).toEqual(wholes[0]?.sample);
      await stopped(again, place, told);
    });
    // Most of them, unless the machine was busier while the duration was measured.
    expect(killedBeforeWelcome).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
