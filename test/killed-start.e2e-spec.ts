import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SeededChance } from '#ambient/seeded-chance';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';
import { pressCtrlC, processesIn, runWillcall, untilWelcome, type Willcall } from './support/willcall.js';

// The supervisor, the database and the sample are real; api and worker are stubs, which start at once.
const START = 'test/support/stubs/start.js';
const KILLS = 20;
const AT_ONCE = 2;
const SEED = 20_261_122;
// The tests of this machine may run beside it.
const TIMEOUT_MS = 900_000;

let folder: string;
beforeEach(() => (folder = temporaryFolder('killed')));
afterEach(() => {
  for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A folder for one installation; under root every second one is below a folder that PostgreSQL's account cannot enter. */
function installationFolder(name: string, isEnclosed: boolean): string {
  const place = join(folder, name);
  mkdirSync(place);
  chmodSync(place, isEnclosed && userInfo().uid === 0 ? 0o700 : 0o755);
  return place;
}

async function stopped(willcall: Willcall, place: string): Promise<void> {
  pressCtrlC(willcall);
  expect(await willcall.ended).toEqual({ code: 0, signal: null });
  await until(() => processesIn(place).length === 0);
  expect(readdirSync(place)).toEqual(['data']);
  expect(readdirSync(join(place, 'data')).toSorted()).toEqual(['addresses.json', 'postgres', 'secrets.json']);
}

/** How much of the sample the running installation has. */
async function sampleIn(place: string): Promise<unknown> {
  const cluster = join(place, 'data/postgres');
  const port = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3];
  const password = readFileSync(join(cluster, 'superuser.password'), 'utf8').trim();
  const client = new pg.Client({ connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/willcall` });
  await client.connect();
  try {
    const counts = ['taxonomies', 'genres', 'venues', 'performers', 'events', 'postal_codes'].map(
      (kind) => `(select count(*) from discovery_${kind}) as ${kind}`,
    );
    const rest = '(select count(*) from listings) as listings, (select count(*) from sample_data_load) as unfinished';
    return (await client.query(`select ${counts.join(', ')}, ${rest}`)).rows[0];
  } finally {
    await client.end();
  }
}

it(
  'starts, with nothing left of the first start, after that was killed at any moment',
  async () => {
    const whole = installationFolder('whole', false);
    const began = Date.now();
    const first = runWillcall(START, whole);
    await untilWelcome(first);
    const span = Date.now() - began;
    const sample = await sampleIn(whole);
    expect(sample).toMatchObject({ unfinished: '0', postal_codes: expect.stringMatching(/^4\d{4}$/) as string });
    await stopped(first, whole);

    const chance = new SeededChance(SEED);
    const moments = Array.from({ length: KILLS }, (_, at) => ({ at, ms: ((at + chance.fraction()) / KILLS) * span }));
    let killedBeforeWelcome = 0;
    const next = async (): Promise<void> => {
      for (let moment = moments.shift(); moment; moment = moments.shift()) {
        const place = installationFolder(`${moment.at}`, moment.at % 2 === 1);
        const killed = runWillcall(START, place);
        // The moment itself is what is tried here, so there is no condition to wait for.
        await sleep(moment.ms);
        killed.process.kill('SIGKILL');
        await killed.ended;
        if (!killed.output().includes('is ready')) killedBeforeWelcome += 1;

        const again = runWillcall(START, place);
        const told = `killed after ${Math.round(moment.ms)} of ${span} ms`;
        await untilWelcome(again).catch((error: unknown) => expect.fail(`${told}: ${String(error)}`));
        expect(await sampleIn(place), told).toEqual(sample);
        await stopped(again, place);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    expect(killedBeforeWelcome).toBeGreaterThan(KILLS / 4);
  },
  TIMEOUT_MS,
);
