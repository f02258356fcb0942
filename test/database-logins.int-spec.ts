import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { TimeOrderedIds } from '#base/ids';
import { parseSettings } from '#base/load-settings';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#database/embedded-postgres';
import { LeastPrivilege, PowerfulLogin, rejectPowerfulLogin, rejectStrangeLogin } from '#database/least-privilege';
import { migrate } from '#database/migrate';
import { createPool } from '#database/pool';
import { queueBackend } from '#delivery-kit/queue-backend';
import { JobQueue } from '#delivery-kit/job-queue';
import { createLogger } from '#platform/logger';
import { startApi } from '../apps/api/src/start-api.js';
import { apiEnvironment } from './support/api-environment.js';
import { applicationUrl, copyEmptyCluster, createTestDatabase, type TestDatabase } from './support/database.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';

/** Roles that log in and own something of Willcall. */
const OWNERS_WHO_LOG_IN = `
  select distinct rolname from pg_roles join (
    select relowner as owner, relnamespace as namespace from pg_class where relkind in ('r', 'S', 'v')
    union all select proowner, pronamespace from pg_proc) as objects on owner = pg_roles.oid
  where namespace in (select oid from pg_namespace where nspname in ('public', 'bullmq')) and rolcanlogin`;

async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Whoever has a connection of the api can neither become another role nor change the log. */
async function expectOnlyTheApplication(url: string): Promise<void> {
  await rejectPowerfulLogin(url);
  const pool = createPool({ databaseUrl: url, max: 1, applicationName: 'test', onError: () => undefined });
  const client = await pool.connect();
  try {
    for (const escape of ['set role none', 'reset role', 'reset session authorization']) {
      await client.query(escape);
      const { rows } = await client.query(
        `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as more from pg_roles where rolname = current_user`,
      );
      expect(rows, escape).toEqual([{ more: false }]);
      for (const change of [
        'update events set type = type',
        'truncate feed',
        'drop table orders',
        'create table mine ()',
      ]) {
        await expect(client.query(change), `${escape}; ${change}`).rejects.toMatchObject({ code: '42501' });
      }
      await expect(client.query('alter table events disable trigger all')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('select renew_epoch()')).rejects.toMatchObject({ code: '42501' });
    }
    const superuser = (await query(url, `select rolname from pg_roles where rolsuper limit 1`))[0]?.['rolname'];
    for (const other of ['willcall_owner', 'willcall_migrate', superuser]) {
      await expect(client.query(`set role ${String(other)}`)).rejects.toMatchObject({ code: '42501' });
      await expect(client.query(`set session authorization ${String(other)}`)).rejects.toMatchObject({ code: '42501' });
    }
  } finally {
    client.release(true);
    await pool.end();
  }
}

/** With BullMQ on PostgreSQL. */
async function expectJobs(url: string): Promise<void> {
  const queue = new JobQueue('pings', queueBackend({ databaseUrl: url }), () => undefined);
  await queue.add([{ id: 'job-1', data: { name: 'one' } }]);
  expect((await queue.depth()).waiting).toBe(1);
  await queue.close();
}

describe('an embedded installation', () => {
  let folder: string;
  let server: EmbeddedPostgres;
  const start = async () =>
    (server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), durable: false }));
  beforeAll(async () => {
    folder = temporaryFolder('logins');
    copyEmptyCluster(folder);
    await start();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('of a release in which the superuser owned the tables is moved over at its next start, and keeps its data', async () => {
    // The dump creates it.
    await query(server.url, 'drop schema bullmq');
    await query(server.url, readFileSync(new URL('upgrade/e6dfb84.sql', import.meta.url), 'utf8'));
    expect(await query(server.url, OWNERS_WHO_LOG_IN)).toEqual([{ rolname: 'postgres' }]);
    await server.stop();
    for (const login of ['owner', 'application']) rmSync(join(folder, `postgres/${login}.password`));

    await start();
    expect(await query(server.url, OWNERS_WHO_LOG_IN)).toEqual([]);
    await migrate(server.ownerUrl, server.applicationUrl);
    expect(await query(server.url, OWNERS_WHO_LOG_IN)).toEqual([]);
    expect(await query(server.applicationUrl, 'select count(*)::int as orders from orders')).toEqual([{ orders: 6 }]);
    await expectOnlyTheApplication(server.applicationUrl);
    await expectJobs(server.applicationUrl);
  });

  it('has an owner who is no superuser', async () => {
    const roles = `select rolsuper or rolcreaterole or rolreplication as more, pg_has_role(rolname, 'willcall_owner', 'member') as owns
      from pg_roles where rolname = current_user`;
    expect(await query(server.ownerUrl, roles)).toEqual([{ more: false, owns: true }]);
    await expect(query(server.ownerUrl, 'set role postgres')).rejects.toMatchObject({ code: '42501' });
  });

  it('takes new passwords from its files', async () => {
    await server.stop();
    writeFileSync(join(folder, 'postgres/application.password'), 'another');
    await start();
    expect(new URL(server.applicationUrl).password).toBe('another');
    expect(await query(server.applicationUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe("compose's database", () => {
  let folder: string;
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    folder = temporaryFolder('compose-logins');
    server = await startEmbeddedPostgres({ dataDirectory: copyEmptyCluster(folder), durable: false });
    const roles = 'willcall_service, willcall_migrate, willcall_owner, willcall_app';
    await query(server.url, `drop owned by ${roles}`, `drop role ${roles}`);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the script with a psql that only writes down what it is given. */
  function statements(passwords: Record<string, string>): string {
    const psql = join(folder, 'psql');
    writeFileSync(psql, '#!/bin/sh\ncat\n', { mode: 0o755 });
    return execFileSync(join(import.meta.dirname, '../docker/postgres/logins.sh'), {
      env: { PATH: `${folder}:${process.env.PATH}`, POSTGRES_USER: 'postgres', POSTGRES_DB: 'willcall', ...passwords },
      encoding: 'utf8',
    });
  }

  it('gets its logins from the script, which may run again', async () => {
    await query(server.url, statements({ MIGRATION_DATABASE_PASSWORD: 'first', SERVICE_DATABASE_PASSWORD: 'first' }));
    await query(server.url, statements({ MIGRATION_DATABASE_PASSWORD: 'm1grate', SERVICE_DATABASE_PASSWORD: 's3rve' }));
    const { ownerUrl: own, applicationUrl: application } = server;
    const ownerUrl = Object.assign(new URL(own), { password: 'm1grate' }).href;
    const serviceUrl = Object.assign(new URL(application), { password: 's3rve' }).href;
    await migrate(ownerUrl, serviceUrl);
    expect(await query(server.url, OWNERS_WHO_LOG_IN)).toEqual([]);
    await expectOnlyTheApplication(serviceUrl);
    await expectJobs(serviceUrl);
    await expect(rejectPowerfulLogin(ownerUrl)).rejects.toThrow(
      /^The login willcall_migrate of DATABASE_URL can act as willcall_owner, which owns tables of Willcall\./,
    );
  });
});

describe('a plain server', () => {
  const clusterUrl = () => inject('clusterUrl');
  const name = `logins_${randomBytes(4).toString('hex')}`;
  const [owner, service] = [`${name}_owner`, `${name}_service`];
  const addressOf = (username: string) =>
    Object.assign(new URL(clusterUrl()), { username, password: 'secret', pathname: name }).href;
  beforeAll(async () => {
    await query(clusterUrl(), `create role ${owner} login password 'secret'`, `create database ${name} owner ${owner}`);
  });
  afterAll(async () => {
    await query(
      clusterUrl(),
      `drop database ${name} with (force)`,
      `drop role ${owner}`,
      `drop role if exists ${service}`,
    );
  });

  it('is refused with one login, in one message that names the setting and the SQL', async () => {
    const refused = await rejectPowerfulLogin(addressOf(owner)).catch((error: unknown) => error as PowerfulLogin);
    expect(refused).toBeInstanceOf(PowerfulLogin);
    expect(refused?.message).toMatch(
      new RegExp(
        `^The login ${owner} of DATABASE_URL owns the database\\. .* Set MIGRATION_DATABASE_URL to this address, .*create role`,
      ),
    );
    expect(refused?.message).not.toContain('secret');
    await expect(rejectPowerfulLogin(clusterUrl())).rejects.toThrow('is a superuser');
  });

  it('is refused with a login that is no member of the application', async () => {
    await query(clusterUrl(), `create role ${name}_else login password 'secret'`);
    try {
      await expect(rejectPowerfulLogin(addressOf(`${name}_else`))).resolves.toBeUndefined();
      await expect(rejectStrangeLogin(addressOf(`${name}_else`))).rejects.toThrow(
        `grant willcall_app to ${name}_else;`,
      );
    } finally {
      await query(clusterUrl(), `drop role ${name}_else`);
    }
  });

  it('whose owner may not create roles keeps its tables, and its application has no rights on them', async () => {
    await query(
      clusterUrl(),
      `grant willcall_app to ${owner}`,
      `create role ${service} login password 'secret' in role willcall_app`,
    );
    await migrate(addressOf(owner), addressOf(service));
    expect(await query(addressOf(owner), OWNERS_WHO_LOG_IN)).toEqual([{ rolname: owner }]);
    await expectOnlyTheApplication(addressOf(service));
  });

  it('gives the tables to the role without login once there is one', async () => {
    await query(clusterUrl(), `grant willcall_owner to ${owner}`);
    await migrate(addressOf(owner), addressOf(service));
    expect(await query(addressOf(owner), OWNERS_WHO_LOG_IN)).toEqual([]);
    await expectOnlyTheApplication(addressOf(service));
    await expectJobs(addressOf(service));
    // The owner's processes create tables for the same role.
    const pool = createPool({
      databaseUrl: addressOf(owner),
      max: 1,
      applicationName: 'test',
      asOwner: true,
      onError: () => undefined,
    });
    expect((await pool.query('select current_user as role')).rows).toEqual([{ role: 'willcall_owner' }]);
    await pool.end();
  });

  it('gets the login of the application from an owner who may create roles, with the password of its address', async () => {
    const other = `${name}_new`;
    await query(clusterUrl(), `alter role ${owner} createrole`, `grant willcall_app to ${owner} with admin option`);
    try {
      await migrate(addressOf(owner), addressOf(other));
      await expectOnlyTheApplication(addressOf(other));
      // For a server that trusts its machine.
      await migrate(addressOf(owner), addressOf(`${other}er`).replace(':secret', ''));
      const password = `select rolpassword is null as trusted from pg_authid where rolname = '${other}er'`;
      expect(await query(clusterUrl(), password)).toEqual([{ trusted: true }]);
    } finally {
      await query(clusterUrl(), `alter role ${owner} nocreaterole`, `drop role ${other}, ${other}er`);
    }
  });
});

describe('a process', () => {
  let database: TestDatabase;
  const service = `logins_${randomBytes(4).toString('hex')}`;
  const admin = (...statements: string[]) => query(inject('clusterUrl'), ...statements);
  beforeAll(async () => {
    database = await createTestDatabase();
    await admin(`create role ${service} login password 'secret' in role willcall_app`);
  });
  afterEach(() => admin(`alter role ${service} nosuperuser`, `revoke willcall_owner from ${service}`));
  afterAll(async () => {
    await database.drop();
    await admin(`drop role ${service}`);
  });

  const serviceUrl = () => Object.assign(new URL(database.url), { username: service, password: 'secret' }).href;
  const start = (url: string, onFatalError: (error: unknown) => void) => {
    const settings = parseSettings({ ...apiEnvironment(database.url), DATABASE_URL: url });
    return startApi(settings, createLogger('test', 'silent'), new TimeOrderedIds(), onFatalError);
  };

  it('does not start with the login of an owner or a superuser', async () => {
    await expect(start(database.url, () => undefined)).rejects.toBeInstanceOf(PowerfulLogin);
    await admin(`grant willcall_owner to ${service}`);
    await expect(start(serviceUrl(), () => undefined)).rejects.toThrow(`can act as willcall_owner`);
  });

  it.each([['grant willcall_owner to'], ['alter role', 'superuser']])(
    'stops when an administrator runs: %s …',
    async (...words) => {
      const errors: unknown[] = [];
      const { app } = await start(serviceUrl(), (error) => errors.push(error));
      try {
        await admin([words[0], service, ...words.slice(1)].join(' '));
        await until(() => errors.length > 0, { withinMs: 60_000 });
        expect(errors[0]).toBeInstanceOf(PowerfulLogin);
      } finally {
        await app.close();
      }
    },
  );

  it('looks at each new connection, also behind a pooler that logs in as somebody else and drops the options', async () => {
    const told: unknown[] = [];
    const leastPrivilege = new LeastPrivilege();
    leastPrivilege.onExcess((error) => told.push(error));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await expect(leastPrivilege.check(client)).rejects.toThrow('is a superuser');
    // A role that another client of the pooler left behind.
    await client.query(`set session authorization ${service}; set role willcall_app`);
    await expect(leastPrivilege.check(client)).resolves.toBeUndefined();
    await client.end();
    const options = { databaseUrl: database.url, max: 1, applicationName: 'test', onError: () => undefined };
    const pool = createPool({ ...options, leastPrivilege });
    await expect(pool.query('select')).rejects.toBeInstanceOf(PowerfulLogin);
    await pool.end();
    expect(told).toHaveLength(2);
    expect(await query(applicationUrl(database.url), 'select session_user <> current_user as more')).toEqual([
      { more: false },
    ]);
  });
});
