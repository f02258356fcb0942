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

const release = process.env['LAST_RELEASE'] ?? newestTag();
if (release === undefined) console.log('Skipped: a rolling update (no tag here; LAST_RELEASE may name a commit).');

// On a busy machine, a ping that times out is sent twice, and a payment that times out is answered with 500.
const PATIENT = { PING_TIMEOUT_MS: '5000', PAYMENT_TIMEOUT_MS: '20000', PAYMENT_OUTCOME_AFTER_MS: '25000' };

/** Two apis and two workers of the last release sell while they are replaced one by one, by this release and by the last one again. */
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
      apis: 2,
      workers: 2,
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

  /** Starts one of the other release before one of this kind is stopped. Between two, both releases sell and ping. */
  async function replaceAll(programs: string, name: string): Promise<void> {
    const { apis, workers } = stand.parts;
    for (const [index, old] of [...apis].entries()) {
      addresses.push((await stand.addApi(`${name}-api-${index}`, {}, programs)).url);
      // As a proxy does: nothing new goes to an api that is about to stop.
      addresses.splice(addresses.indexOf(old.url), 1);
      await ended(old, apis);
      stand.platform.apis = stand.apiUrls;
      await sellsAndPings();
      const [oldWorker] = workers as [Service];
      await stand.addWorker(`${name}-worker-${index}`, {}, programs);
      await ended(oldWorker, workers);
      await sellsAndPings();
    }
  }

  async function ended(old: Service, all: Service[]): Promise<void> {
    expect(await old.terminate()).toEqual({ code: 0, signal: null });
    all.splice(all.indexOf(old), 1);
  }

  async function sellsAndPings(): Promise<void> {
    const seen = stand.platform.arrivals.length;
    await load.waitForPurchases();
    expect(stand.platform.arrivals.length).toBeGreaterThan(seen);
    expect(load.cut).toEqual([]);
    expect(stand.dead).toEqual([]);
  }

  it('migrates while the last release sells', async () => {
    expect(await load.atFullSpeed(() => migratedBy(PROGRAMS))).toMatchObject({ code: 0 });
    await sellsAndPings();
  });

  it('replaces api by api and worker by worker', async () => {
    await replaceAll(PROGRAMS, 'this');
  });

  it('goes back to the last release, on the schema of this one', async () => {
    await replaceAll(last, 'last');
  });

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
