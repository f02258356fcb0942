import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '#database/embedded-postgres';
import { applicationUrl, createTestDatabase, ownerPool } from './support/database.js';
import { freeze } from './support/frozen.js';
import { installed } from './support/installed.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';
import { pressCtrlC, processesIn, runWillcall, untilGone, untilWelcome, type Willcall } from './support/willcall.js';

const REAL = 'programs/willcall.js start';
const STUBS = 'test-programs/stubbed-start.js';

let folder: string;
beforeEach(() => (folder = temporaryFolder('start')));
afterEach(() => {
  for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Uses the data of an earlier start, unless there are some already. */
async function started(environment: Record<string, string> = {}): Promise<Willcall> {
  if (!existsSync(join(folder, 'data'))) await installed(folder);
  const willcall = runWillcall(STUBS, folder, environment);
  await untilWelcome(willcall);
  return willcall;
}

async function stopped(willcall: Willcall): Promise<void> {
  pressCtrlC(willcall);
  expect(await willcall.ended).toEqual({ code: 0, signal: null });
  expect(processesIn(folder)).toEqual([]);
}

async function ask(willcall: Willcall, path: string, method = 'GET'): Promise<unknown> {
  const answer = await fetch(`${willcall.printed('api')}${path}`, { method });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const postmaster = () => Number(readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[0]);
const secrets = () => JSON.parse(readFileSync(join(folder, 'data/secrets.json'), 'utf8')) as Record<string, string>;

/** A cluster whose recovery waits for an archive that never answers, so that its server never takes connections. */
async function withoutEndOfRecovery(): Promise<void> {
  const dataDirectory = join(folder, 'data/postgres');
  const server = await startEmbeddedPostgres({ dataDirectory, durable: false });
  await server.stop();
  writeFileSync(join(dataDirectory, 'recovery.signal'), '');
  appendFileSync(join(dataDirectory, 'postgresql.auto.conf'), `restore_command = 'exec sleep ${ENDLESS_S}'\n`);
}

// Also tells the processes of this run from others.
const ENDLESS_S = 1_000_000 + process.pid;
const recovering = () => processesIn('', `sleep\0${ENDLESS_S}`);

describe('npm start', () => {
  it('starts everything, finishes a current request after Ctrl-C, and keeps data and credentials for the next start', async () => {
    const first = runWillcall(STUBS, folder);
    await untilWelcome(first);
    await ask(first, '/notes/first', 'POST');
    const worker = await fetch(first.printed('worker health'));
    expect(worker.status).toBe(200);
    const kept = secrets();
    expect(first.printed('back office token')).toBe(kept['BACKOFFICE_TOKEN']);
    expect(first.printed('console')).toBe(first.printed('api'));
    expect(first.printed('sign in as')).toBe(kept['OPERATOR_EMAIL']);
    expect(first.printed('with the password')).toBe(kept['OPERATOR_PASSWORD']);
    expect(Buffer.from(kept['ENCRYPTION_KEY'] ?? '', 'base64')).toHaveLength(32);
    expect(statSync(join(folder, 'data/secrets.json')).mode & 0o777).toBe(0o600);
    // It still needs the database.
    const slow = ask(first, '/slow/in-hand', 'POST');
    await until(() => first.output().includes('stub keeps in-hand'));
    await stopped(first);
    expect(await slow).toBe('kept');
    expect(first.output()).not.toContain('Warning');
    expect(first.output()).toMatch(/\nWillcall is stopping: requests in hand are finished, for at most \d+ s\.\n/);
    expect(first.output()).not.toContain('PostgreSQL ended');

    const second = await started({ BACKOFFICE_TOKEN: 'a-token-of-my-own' });
    expect(await ask(second, '/notes')).toEqual(['first', 'in-hand']);
    expect(second.output()).toContain('(as set in BACKOFFICE_TOKEN)');
    expect(second.output()).not.toContain('a-token-of-my-own');
    expect(second.printed('checkout client secret')).toBe(kept['CHECKOUT_CLIENT_SECRET']);
    expect(secrets()).toEqual(kept);
    await stopped(second);
  });

  it('rejects another encryption key, and does not replace a lost one', async () => {
    await installed(folder);
    const file = join(folder, 'data/secrets.json');
    const kept = readFileSync(file, 'utf8');
    const other = runWillcall(STUBS, folder, { ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') });
    expect(await other.ended).toEqual({ code: 1, signal: null });
    expect(other.output()).toMatch(/^ENCRYPTION_KEY \(fingerprint \w+\) is not the key .*\n$/);
    rmSync(file);
    const lost = runWillcall(STUBS, folder);
    expect(await lost.ended).toEqual({ code: 1, signal: null });
    expect(lost.output()).toMatch(
      /^This database was sealed with an ENCRYPTION_KEY .* put back a copy of that file\.\n$/,
    );
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, kept);
    await stopped(await started());
  });

  it('is the only one on its DATA_DIR, restarts killed processes, and kills a service that does not end in time', async () => {
    const willcall = await started({ SHUTDOWN_GRACE_MS: '0' });
    const second = runWillcall(STUBS, folder);
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.output()).toMatch(/^Another Willcall runs on DATA_DIR .*\n$/);
    expect(await ask(willcall, '/health/ready')).toBe('ready');

    const pid = Number(await ask(willcall, '/pid'));
    process.kill(pid, 'SIGKILL');
    await until(async () => (await ask(willcall, '/pid')) !== pid);
    expect(willcall.output()).toContain('api ended (SIGKILL), starting it again');

    await ask(willcall, '/notes/before', 'POST');
    const killed = postmaster();
    process.kill(killed, 'SIGKILL');
    await until(() => postmaster() !== killed);
    await until(() => ask(willcall, '/notes/after', 'POST'));
    expect(await ask(willcall, '/notes')).toEqual(['after', 'before']);
    expect(willcall.output()).toContain('PostgreSQL ended (killed), starting it again');

    await ask(willcall, '/deaf', 'POST');
    pressCtrlC(willcall);
    // The rest of the deadline may be too short for PostgreSQL on a busy machine. Then it is killed too, and the code is 1.
    expect((await willcall.ended).signal).toBeNull();
    expect(processesIn(folder)).toEqual([]);
    expect(willcall.output()).toContain('api has not ended in time and is killed');
  });

  it('leaves services that end when it is killed, and a PostgreSQL that the next start replaces', async () => {
    const killed = await started();
    await ask(killed, '/notes/kept', 'POST');
    const orphan = postmaster();
    killed.process.kill('SIGKILL');
    await until(async () => !(await ask(killed, '/pid').catch(() => null)));

    const next = await started();
    expect(postmaster()).not.toBe(orphan);
    expect(await ask(next, '/notes')).toEqual(['kept']);
    pressCtrlC(next);
    expect(await next.ended).toEqual({ code: 0, signal: null });
    // The watchdog of the killed one takes up to 10 s.
    await untilGone(folder);
  });

  it('leaves no service that had just been spawned when it was killed', async () => {
    await installed(folder);
    const killed = runWillcall(STUBS, folder);
    await until(() => processesIn(folder, 'stubbed-worker.js').length > 0, { withinMs: 60_000, everyMs: 20 });
    killed.process.kill('SIGKILL');
    // The service reaches its own code, and learns there that its supervisor is gone.
    await until(() => killed.output().includes('stub starts'), { withinMs: 60_000 });
    await untilGone(folder);
  });

  // On Windows there is no watchdog.
  it.skipIf(process.platform === 'win32')('takes api, worker and PostgreSQL along when it is killed', async () => {
    await installed(folder);
    const killed = runWillcall(REAL, folder);
    await untilWelcome(killed);
    const database = postmaster();
    expect(processesIn(folder)).toContain(database);
    killed.process.kill('SIGKILL');
    const killedAt = Date.now();
    await until(() => !processesIn(folder).includes(database), { everyMs: 100 });
    expect(Date.now() - killedAt).toBeLessThan(10_000);
    await untilGone(folder);
  });

  it('ends a PostgreSQL that is still recovering, and leaves no process', async () => {
    await withoutEndOfRecovery();
    const willcall = runWillcall(STUBS, folder);
    await until(() => recovering().length > 0, { withinMs: 60_000, everyMs: 50 });
    const stoppedAt = Date.now();
    await stopped(willcall);
    expect(Date.now() - stoppedAt).toBeLessThan(10_000);
    expect(recovering()).toEqual([]);
  });

  const moments: [string, 'first' | 'second', (willcall: Willcall) => unknown][] = [
    ['at once', 'first', () => true],
    ['while the cluster is made', 'first', () => existsSync(join(folder, 'data'))],
    ['while PostgreSQL starts', 'second', () => existsSync(join(folder, 'data/postgres/postmaster.pid'))],
    ['after PostgreSQL has started', 'first', () => existsSync(join(folder, 'data/secrets.json'))],
    ['while the services start', 'second', (willcall) => willcall.output().includes('stub starts')],
  ];
  it.each(moments)('ends cleanly on Ctrl-C %s', async (_, start, hasCome) => {
    if (start === 'second') await installed(folder);
    const willcall = runWillcall(STUBS, folder);
    await until(() => hasCome(willcall), { withinMs: 60_000, everyMs: 1 });
    pressCtrlC(willcall);
    const { code, signal } = await willcall.ended;
    // Before Node has reached our code, the signal ends it.
    if (signal !== 'SIGINT') expect(code, willcall.output()).toBe(0);
    expect(willcall.output()).not.toContain('is ready');
    expect(processesIn(folder)).toEqual([]);
    expect(existsSync(join(folder, 'data/postgres/postmaster.pid'))).toBe(false);
  });

  it('ends when npm is told to end, although npm does not forward the signal', async () => {
    await installed(folder);
    const npm = runWillcall(STUBS, folder, { npm_lifecycle_event: 'start' }, 'shell');
    await untilWelcome(npm);
    npm.process.kill('SIGTERM');
    await untilGone(folder);
    expect(existsSync(join(folder, 'data/postgres/postmaster.pid'))).toBe(false);
  });

  it.runIf(process.platform === 'linux')(
    'ends in time, and leaves no process, while PostgreSQL stands still',
    async () => {
      await installed(folder);
      const willcall = runWillcall(REAL, folder, { SHUTDOWN_GRACE_MS: '1000' });
      await untilWelcome(willcall);
      freeze(postmaster());
      const began = performance.now();
      pressCtrlC(willcall);
      expect(await willcall.ended).toEqual({ code: 1, signal: null });
      expect(performance.now() - began).toBeLessThan(10_000);
      await untilGone(folder);

      await stopped(await started());
    },
  );

  it('fails if a service ends before it is ready, and leaves nothing', async () => {
    await installed(folder);
    const willcall = runWillcall(`${STUBS} api broken`, folder);
    expect(await willcall.ended).toEqual({ code: 1, signal: null });
    expect(willcall.output()).toContain('worker ended (exit code 7) before it was ready');
    expect(processesIn(folder)).toEqual([]);
  });

  it('says in one line that a port is in use, before it starts anything', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as AddressInfo;
    const willcall = runWillcall(REAL, folder, { PORT: `${port}` });
    expect(await willcall.ended).toEqual({ code: 1, signal: null });
    expect(willcall.output()).toBe(`Port ${port} of 127.0.0.1 is in use: set PORT to another.\n`);
    expect(existsSync(join(folder, 'data'))).toBe(false);
    otherServer.close();
  });

  it('names every invalid setting', async () => {
    const willcall = runWillcall(REAL, folder, { PORT: 'many', CHECKOUT_VARIANT: 'both' });
    expect(await willcall.ended).toEqual({ code: 1, signal: null });
    expect(willcall.output().trim().split('\n')).toEqual([
      'The settings are invalid:',
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^CHECKOUT_VARIANT: /),
    ]);
  });

  it('uses the server of DATABASE_URL and generates only the encryption key', async () => {
    const database = await createTestDatabase();
    const willcall = runWillcall(STUBS, folder, {
      DATABASE_URL: applicationUrl(database.url),
      MIGRATION_DATABASE_URL: database.url,
      SANDBOX: 'true',
    });
    await untilWelcome(willcall);
    await ask(willcall, '/notes/there', 'POST');
    expect(Object.keys(secrets())).toEqual(['ENCRYPTION_KEY']);
    expect(willcall.output()).toContain(`a new ENCRYPTION_KEY is kept in ${join(folder, 'data/secrets.json')}`);
    expect(willcall.output()).not.toContain('back office token');
    expect(existsSync(join(folder, 'data/postgres'))).toBe(false);
    // A process that has ended has loaded them.
    const pool = ownerPool(database.url);
    const { rows } = await pool.query('select count(*) > 40000 as loaded from discovery_postal_codes');
    expect(rows).toEqual([{ loaded: true }]);
    await pool.end();
    await stopped(willcall);
    await database.drop();
  });
});
