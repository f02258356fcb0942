import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres';
import { apiEnvironment } from './support/api-environment.js';
import { copyEmptyCluster } from './support/database.js';
import { startRedis, type TestRedis } from './support/redis.js';
import { Load } from './support/stand/load.js';
import { buildRelease, newestTag } from './support/stand/release.js';
import { PROGRAMS, type Service, willcall } from './support/stand/service.js';
import { violationsAfter } from './support/stand/settled.js';
import { Stand } from './support/stand/stand.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';

const release = process.env['LAST_RELEASE'] ?? newestTag();
if (release === undefined) console.log('Skipped: a rolling update (no tag here; LAST_RELEASE may name a commit).');

// EACH=2 replaces two apis and two workers, one after the other.
const EACH = Number(process.env['EACH'] ?? 1);
const REPLACED_WITHIN_MS = 600_000;

// On a busy machine, a ping that times out is sent twice, and a payment that times out is answered with 500.
const PATIENT = { PING_TIMEOUT_MS: '5000', PAYMENT_TIMEOUT_MS: '20000', PAYMENT_OUTCOME_AFTER_MS: '25000' };

/** Apis and workers of the last release sell while they are replaced, by those of this release and of the last one again. */
describe.skipIf(release === undefined)(`a rolling update from ${release}`, () => {
  const folder = temporaryFolder('rolling');
  let last: string;
  let server: EmbeddedPostgres;
  let redis: TestRedis;
  let stand: Stand;
  let load: Load;
  const addresses: string[] = [];

  beforeAll(async () => {
    last = buildRelease(release ?? '', join(folder, 'release'));
    server = await startEmbeddedPostgres({ dataDirectory: copyEmptyCluster(folder), durable: true });
    redis = await startRedis();
    expect(await migratedBy(last)).toMatchObject({ code: 0 });
    stand = await Stand.start({
      database: { url: server.url },
      apis: EACH,
      workers: EACH,
      settings: { DATABASE_URL: server.applicationUrl, REDIS_URL: redis.url, ...PATIENT },
      programs: last,
    });
    addresses.push(...stand.apiUrls);
    load = await Load.start({ apis: addresses });
    await load.waitForPurchases();
  });
  afterAll(async () => {
    await load?.stop();
    await stand?.close();
    await redis?.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function migratedBy(programs: string) {
    const logins = { DATABASE_URL: server.applicationUrl, MIGRATION_DATABASE_URL: server.ownerUrl };
    return await willcall(['migrate'], { ...apiEnvironment(server.url), ...logins }, programs);
  }

  async function replaceAll(programs: string, name: string): Promise<void> {
    const { apis, workers } = stand.parts;
    const old = apis.flatMap((api, index) => (workers[index] ? [[api, workers[index]] as const] : []));
    for (const [index, [api, worker]] of old.entries()) await replace(api, worker, programs, `${name}-${index + 1}`);
  }

  /** Starts one of the other release, lets both sell and ping, and stops the one that was there. */
  async function replace(api: Service, worker: Service, programs: string, name: string): Promise<void> {
    const { apis, workers } = stand.parts;
    addresses.push((await stand.addApi(`api-of-${name}`, {}, programs)).url);
    await sellsAndPings();
    await stand.addWorker(`worker-of-${name}`, {}, programs);
    await sellsAndPings();
    // As a proxy does: nothing new goes to an api that is about to stop.
    addresses.splice(addresses.indexOf(api.url), 1);
    await ended(api, apis);
    stand.platform.apis = stand.apiUrls;
    await sellsAndPings();
    await ended(worker, workers);
    await sellsAndPings();
  }

  /** It ends by the signal, once it has done what it had in hand. */
  async function ended(old: Service, all: Service[]): Promise<void> {
    expect(await old.terminate()).toEqual({ code: null, signal: 'SIGTERM' });
    all.splice(all.indexOf(old), 1);
  }

  async function sellsAndPings(): Promise<void> {
    const seen = stand.platform.arrivals.length;
    await load.waitForPurchases();
    await load.atFullSpeed(() => until(() => stand.platform.arrivals.length > seen));
    expect(load.cut).toEqual([]);
    expect(stand.dead).toEqual([]);
  }

  it('migrates while the last release sells', async () => {
    expect(await load.atFullSpeed(() => migratedBy(PROGRAMS))).toMatchObject({ code: 0 });
    await sellsAndPings();
  });

  it(
    'replaces each api and worker, beside those that were there',
    async () => {
      await replaceAll(PROGRAMS, 'this-release');
    },
    REPLACED_WITHIN_MS,
  );

  it(
    'goes back to the last release, on the schema of this one',
    async () => {
      await replaceAll(last, 'last-release');
    },
    REPLACED_WITHIN_MS,
  );

  it('has cut no request, lost no purchase and no ping, and verify finds no difference', async () => {
    await load.stop();
    expect(load.cut).toEqual([]);
    expect(load.changes.filter(({ outcome }) => outcome === 'cut')).toEqual([]);
    expect(await violationsAfter(load, stand)).toEqual([]);
    console.log(
      `${load.acknowledged} purchases acknowledged, ${stand.platform.arrivals.length} pings, 0 lost, 0 requests cut`,
    );
  });
});
