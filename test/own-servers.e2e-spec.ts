import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#base/free-port';
import { applicationUrl, createTestDatabase, type TestDatabase } from './support/database.js';
import { redisAvailable, startRedis, type TestRedis } from './support/redis.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { pressCtrlC, processesIn, runWillcall, untilWelcome, type Willcall } from './support/willcall.js';

let folder: string;
let database: TestDatabase;
let redis: TestRedis;
beforeAll(async () => {
  if (!redisAvailable) return console.log('Skipped: a start on real servers (no redis-server on the PATH).');
  folder = temporaryFolder('own-servers');
  [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
});
afterAll(async () => {
  if (!redisAvailable) return;
  for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL');
  await redis.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function started(environment: Record<string, string>): Promise<Willcall> {
  const willcall = runWillcall('programs/willcall.js start', folder, {
    DATABASE_URL: applicationUrl(database.url),
    MIGRATION_DATABASE_URL: database.url,
    SANDBOX: 'true',
    ...environment,
  });
  await untilWelcome(willcall);
  return willcall;
}

async function stopped(willcall: Willcall): Promise<void> {
  pressCtrlC(willcall);
  expect(await willcall.ended).toEqual({ code: 0, signal: null });
}

const missingIn = (willcall: Willcall) =>
  [...willcall.output().matchAll(/^ {2}- (.*)$/gm)].map(([, text = '']) => text);
const statusOf = async (address: string) => (await fetch(address)).status;

describe.skipIf(!redisAvailable)('a first start on real servers', () => {
  it('needs to know where pings go, and begins nothing without it', async () => {
    const willcall = runWillcall('programs/willcall.js start', folder, { DATABASE_URL: database.url });
    expect(await willcall.ended).toMatchObject({ code: 1 });
    expect(willcall.output()).toBe(
      'The settings are invalid:\nPLATFORM_URL: must be set, or SANDBOX=true for the built-in platform, which is for trying out\n',
    );
  });

  it('with only their addresses says why every address answers 403, and that Redis is unreachable', async () => {
    const away = `redis://127.0.0.1:${await freePort()}`;
    const willcall = await started({ REDIS_URL: away });
    expect(missingIn(willcall)).toEqual([
      expect.stringMatching(/^All addresses but \/health answer 403.*REQUIRE_HTTPS=false/),
      expect.stringMatching(/^\/checkout /),
      expect.stringMatching(/^\/2 /),
      expect.stringMatching(/^Nobody can sign in.*OPERATOR_EMAIL/),
      expect.stringMatching(/PLATFORM_URL/),
      expect.stringMatching(/^Redis does not answer \(.*ECONNREFUSED.*REDIS_URL/),
    ]);
    for (const name of ['api', 'checkout', 'discovery', 'documentation', 'sandbox platform']) {
      expect(await statusOf(willcall.printed(name)), name).toBe(403);
    }
    expect(await statusOf(`${willcall.printed('api')}/health/ready`)).toBe(200);
    expect(await statusOf(willcall.printed('worker health'))).toBe(200);
    expect(willcall.printed('encryption key')).toBe(join(folder, 'data/secrets.json'));
    expect(willcall.printed('data')).toBe(new URL(database.url).host + new URL(database.url).pathname);
    await stopped(willcall);
  });

  it('names only what is still missing', async () => {
    const willcall = await started({ REDIS_URL: redis.url, REQUIRE_HTTPS: 'false' });
    const sentences = missingIn(willcall);
    expect(sentences.map((sentence) => /^\/\w+ answers \d+/.exec(sentence)?.[0])).toEqual([
      '/checkout answers 401',
      '/2 answers 403',
      undefined,
      undefined,
    ]);
    expect(sentences.at(-2)).toContain('Nobody can sign in');
    expect(sentences.at(-1)).toContain('PLATFORM_URL');
    const api = willcall.printed('api');
    expect(await statusOf(`${api}/checkout/v1/listings/lst-1`)).toBe(401);
    expect(await statusOf(`${api}/2/events?client_id=anyone`)).toBe(403);
    expect(await statusOf(`${api}/backoffice/v1/orders`)).toBe(401);
    expect(await statusOf(willcall.printed('documentation'))).toBe(200);
    await stopped(willcall);
  });
});
