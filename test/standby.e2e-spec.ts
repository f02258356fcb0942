import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { SystemRandomness } from '#base/randomness';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres';
import { adoptEncryptionKey } from '#platform/encryption-key';
import { Sealer } from '#base/sealing';
import { apiEnvironment } from './support/api-environment.js';
import { applicationUrl, ownerPool } from './support/database.js';
import { call, codesOf, Staff } from './support/callers.js';
import { checkoutListing } from './support/listing-body.js';
import { copyMigratedCluster } from './support/migrated-cluster.js';
import { quietPort } from './support/quiet-port.js';
import { Service, willcall } from './support/stand/service.js';
import { temporaryFolder } from './support/temporary-folder.js';

let folder: string;
beforeAll(() => void (folder = temporaryFolder('refused')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One sentence and no stack. */
function expectSentence(output: string, sentence: RegExp): void {
  expect(output.trim()).toMatch(sentence);
  expect(output).not.toMatch(/^\s+at /m);
  expect(output.trim().split('\n')).toHaveLength(1);
}

describe('on a standby', () => {
  let server: EmbeddedPostgres;
  let environment: Record<string, string>;
  const services: Service[] = [];
  beforeAll(async () => {
    const dataDirectory = join(folder, 'standby');
    await copyMigratedCluster(dataDirectory);
    const primary = await startEmbeddedPostgres({ dataDirectory, durable: true });
    const pool = ownerPool(primary.url);
    await adoptEncryptionKey(pool, new Sealer(Buffer.alloc(32, 7), new SystemRandomness()));
    await pool.end();
    await primary.stop();
    const signal = join(dataDirectory, 'standby.signal');
    writeFileSync(signal, '');
    chmodSync(signal, 0o666);
    const serverOptions = { hot_standby: 'on', restore_command: 'false' };
    server = await startEmbeddedPostgres({ dataDirectory, durable: true, serverOptions });
    environment = apiEnvironment(server.url);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await server?.stop();
  });

  async function started(program: 'api' | 'worker'): Promise<Service> {
    const port = { PORT: `${await quietPort()}`, WORKER_PORT: `${await quietPort()}` };
    // Without the first client, which an api would create.
    const { CHECKOUT_CLIENT_ID: _, CHECKOUT_CLIENT_SECRET: __, ...rest } = environment;
    const service = new Service(program, program, { ...rest, ...port }, folder);
    services.push(service);
    await service.start();
    return service;
  }

  it.each(['api', 'worker'] as const)('the %s is not ready, and says why', async (program) => {
    const { status, body } = await call(`${(await started(program)).url}/health/ready`, 'GET');
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: 'unavailable', database: 'unavailable' });
    expect(body).toHaveProperty('reason', expect.stringMatching(/read-only.*standby/));
  });

  it.each([
    ['GET', 'delivery/drift', undefined],
    ['PUT', 'listings/lst-1', checkoutListing()],
  ])('%s %s gets 503 with Retry-After', async (method, path, body) => {
    const [api] = services;
    const answer = await new Staff(api?.url ?? '').send(method, path, body);
    expect([answer.status, codesOf(answer)]).toEqual([503, [50300]]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it.each([['start'], ['migrate'], ['delivery drift'], ['delivery drift --send'], ['stream-tokens add reader']])(
    'willcall %s says in one sentence that it cannot write',
    async (command) => {
      const { code, output } = await willcall(command.split(' '), environment);
      expect(code).toBe(1);
      expectSentence(output, /^The database is read-only: it is a standby/);
    },
  );
});

describe('a start', () => {
  const clusterUrl = () => new URL(inject('clusterUrl'));
  const name = `refused_${randomBytes(4).toString('hex')}`;
  beforeAll(async () => {
    await asSuperuser(`create role ${name} login password 'right'`, `create database ${name}`);
  });
  afterAll(() => asSuperuser(`drop database ${name} with (force)`, `drop role ${name}`));

  async function asSuperuser(...statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: clusterUrl().href });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  function addressWith(change: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string {
    return Object.assign(clusterUrl(), change).href;
  }

  /** With one login, or two. */
  const environmentWith = (address: string, owner?: string) => ({
    ...apiEnvironment(''),
    DATABASE_URL: address,
    ...(owner === undefined ? {} : { MIGRATION_DATABASE_URL: owner }),
  });

  it.each([
    [
      'a database that is missing',
      () => addressWith({ pathname: '/nowhere' }),
      /^The server has no database "nowhere": create/,
    ],
    [
      'a wrong password',
      () => addressWith({ username: name, password: 'wrong' }),
      /^The server rejects the login of ".*" \(/,
    ],
    [
      'a role that is missing',
      () => addressWith({ username: 'nobody_here' }),
      /^The server rejects the login of "nobody_here"/,
    ],
  ])('against %s says in one sentence what to do', async (_, address, sentence) => {
    for (const command of ['start', 'migrate']) {
      const { code, output } = await willcall([command], environmentWith(address()));
      expect(code).not.toBe(0);
      expectSentence(output, sentence);
    }
  });

  const own = () => addressWith({ username: name, password: 'right', pathname: `/${name}` });
  const service = () =>
    addressWith({ username: 'willcall_service', password: servicePassword(), pathname: `/${name}` });
  const servicePassword = () => new URL(applicationUrl(clusterUrl().href)).password;

  it.each([
    [
      'one login that is a superuser',
      () => environmentWith(clusterUrl().href),
      /^The login postgres of DATABASE_URL is a superuser\. .*MIGRATION_DATABASE_URL.*create role/,
    ],
    [
      'an application that may not migrate',
      () => environmentWith(service()),
      /^The database is empty, and api and worker may not migrate: set MIGRATION_DATABASE_URL/,
    ],
    [
      'an owner who may not create the application role',
      () => environmentWith(service(), own()),
      /^(.* cannot create the database role willcall_app, which|".*" lacks a right)/,
    ],
  ])('with %s says in one sentence what to do', async (_, environment, sentence) => {
    const { code, output } = await willcall(['start'], environment());
    expect(code).toBe(1);
    expectSentence(output, sentence);
  });

  it('without the right to create in the schema says in one sentence what to do', async () => {
    await asSuperuser(`grant willcall_app to ${name}`);
    const { code, output } = await willcall(['start'], environmentWith(service(), own()));
    expect(code).toBe(1);
    expectSentence(output, /lacks a right \(permission denied for .*\): make it the owner of the database/);
    const single = await willcall(['migrate'], environmentWith(own()));
    expectSentence(
      single.output,
      /^This needs the owner's login \(permission denied .*\): set MIGRATION_DATABASE_URL to it\.$/,
    );
  });
});
