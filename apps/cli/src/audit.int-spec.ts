import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { apiEnvironment } from '../../../test/support/api-environment.js';
import {
  applicationUrl,
  createTestDatabase,
  ownerPool,
  ownerUrl,
  type TestDatabase,
} from '../../../test/support/database.js';
import { venueLine } from '../../../test/support/discovery/catalogue-lines.js';
import { addEntries } from '../../../test/support/ping-stream/stream-entries.js';
import { wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { allCommands, willcallProgram } from './program.js';
import { withClients } from './with-clients.js';

/** Commands in an order in which each finds what it needs, and what each leaves in the audit log. */
const CHANGES = [
  ['operators add ada@example.com --name Ada --role support', 'operator.created', 'operator:{operator}'],
  ['operators reset ada@example.com --yes', 'operator.reset', 'operator:{operator}'],
  ['operators disable ada@example.com --yes', 'operator.changed', 'operator:{operator}'],
  ['clients add Acme --id acme', 'client.created', 'client:acme'],
  ['clients change acme --name Acme-Tickets', 'client.changed', 'client:acme'],
  ['clients rotate acme', 'client.rotated', 'client:acme'],
  ['clients revoke acme --secret {secret}', 'client_secret.revoked', 'client_secret:{secret}'],
  ['clients revoke acme --yes', 'client.revoked', 'client:acme'],
  ['clients add Acme --id acme', 'client.restored', 'client:acme'],
  ['clients keys add Guide --id guide --with-secret', 'key.created', 'key:guide'],
  ['clients keys change guide --per-page 20', 'key.changed', 'key:guide'],
  ['clients keys rotate guide', 'key.rotated', 'key:guide'],
  ['clients keys revoke guide --yes', 'key.revoked', 'key:guide'],
  ['stream-tokens add warehouse', 'stream_token.created', 'stream_token:{token}'],
  ['stream-tokens revoke {token} --yes', 'stream_token.revoked', 'stream_token:{token}'],
  ['webhooks pause {webhook}', 'webhook.paused', 'webhook:{webhook}'],
  ['webhooks resume {webhook}', 'webhook.resumed', 'webhook:{webhook}'],
  ['webhooks rotate {webhook}', 'webhook.rotated', 'webhook:{webhook}'],
  ['webhooks remove {webhook} --yes', 'webhook.removed', 'webhook:{webhook}'],
  ['orders status {order} 2001', 'order.changed', 'order:{order}'],
  ['orders fulfil {order} --url https://tickets.example/1', 'order.changed', 'order:{order}'],
  ['listings import docs/listings.csv', 'listings.imported', 'listings'],
  ['catalogue import {folder}', 'catalogue.imported', 'catalogue'],
  ['delivery drift --send', 'pings.sent', 'pings'],
  [
    'reconcile payments --provider sandbox --from 2026-11-01 --to 2026-11-02',
    'reconciliation.started',
    'reconciliation:{reconciliation}',
  ],
  ['replay start --order ord_2', 'replay.started', 'replay:{replay}'],
  ['replay pause {replay}', 'replay.paused', 'replay:{replay}'],
  ['replay resume {replay}', 'replay.resumed', 'replay:{replay}'],
  ['replay cancel {replay}', 'replay.cancelled', 'replay:{replay}'],
] as const;

/** Commands that need the login of the owner, or that no process of Willcall runs. */
const CHANGES_OF_THE_OWNER = [
  ['projections rebuild orders', 'maintenance.requested', 'maintenance:{run}'],
  ['archive --before 2025-01', 'orders.archived', 'orders'],
  ['encryption-key rotate', 'encryption_key.rotated', 'encryption_key'],
  ['epoch renew', 'epoch.renewed', 'epoch:{epoch}'],
] as const;

const words = (text: string) => text.split(' ');

const OTHERS = {
  'only read': [
    ...words('doctor info verify'),
    ...words('operators clients stream-tokens webhooks orders listings replay').map((group) => `${group} list`),
    'clients keys list',
    'delivery health',
    'epoch show',
    'orders show',
    'replay show',
  ],
  'call the service, which records it': ['webhooks add', 'webhooks test', 'trigger', 'listen'],
  'call as a platform': ['platform lookup', 'platform buy', 'platform get'],
  'do what the audit log has as a request': ['maintenance'],
  'make or replace a whole installation': ['start', 'migrate', 'backup', 'restore'],
};

const IDS: Readonly<Record<string, string>> = {
  operator: `select id from operators where email = 'ada@example.com'`,
  secret: `select id from client_secrets where client_id = 'acme' order by id limit 1`,
  token: 'select id from stream_tokens',
  webhook: 'select id from webhooks',
  order: 'select id from orders',
  replay: 'select id from replays',
  reconciliation: 'select id from reconciliations',
  run: 'select id from maintenance_runs',
  epoch: 'select current_epoch() as id',
};

let api: TestApi;
let bare: TestDatabase;
let folder: string;
vi.spyOn(console, 'log').mockReturnValue();
vi.spyOn(console, 'error').mockReturnValue();

beforeAll(async () => {
  folder = temporaryFolder('audit');
  writeFileSync(join(folder, 'venues.jsonl'), `${JSON.stringify(venueLine(1))}\n`);
  api = await startTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  bare = await createTestDatabase();
  await api.staff.putListing('lst-1');
  await api.wholesale.bought(wholesaleBody());
  await addEntries(api.pool, 0, 20);
  await api.staff.send('POST', 'webhooks', { url: 'http://127.0.0.1:9999/' });
});
beforeEach(() => vi.stubEnv('DATA_DIR', folder));
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await api.close();
  await bare.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The text with ids for its names in braces. A name of a removed record keeps its last id. */
const known = new Map<string, string>();
async function withIds(text: string, pool: Pool): Promise<string> {
  known.set('folder', folder);
  for (const [, name = ''] of text.matchAll(/\{(\w+)\}/g)) {
    const { rows } = await pool.query<{ id: string }>(IDS[name] ?? 'select where false');
    if (rows[0]) known.set(name, rows[0].id);
  }
  return text.replace(/\{(\w+)\}/g, (_, name: string) => known.get(name) ?? '');
}

async function entries(pool: Pool): Promise<unknown[]> {
  const text = `select actor, action, subject from audit_log where actor like 'cli:%' order by position`;
  return (await pool.query<object>(text)).rows;
}

async function expectEntry(pool: Pool, words: string, action: string, subject: string): Promise<void> {
  const before = await entries(pool);
  const args = (await withIds(words, pool)).split(' ');
  await (await willcallProgram(args)).parseAsync(args, { from: 'user' });
  const entry = { actor: `cli:${userInfo().username}`, action, subject: await withIds(subject, pool) };
  expect(await entries(pool)).toEqual([...before, entry]);
}

describe('the audit log names the user of the system', () => {
  it.each(CHANGES)('after `%s`', async (words, action, subject) => {
    for (const [name, value] of Object.entries(apiEnvironment(api.databaseUrl))) vi.stubEnv(name, value);
    await expectEntry(api.pool, words, action, subject);
  });

  it.each(CHANGES_OF_THE_OWNER)('after `%s`', async (words, action, subject) => {
    const key = randomBytes(32).toString('base64');
    vi.stubEnv('DATABASE_URL', applicationUrl(bare.url));
    vi.stubEnv('MIGRATION_DATABASE_URL', ownerUrl(bare.url));
    const pool = ownerPool(bare.url);
    // A copy of a database has the tables of its template, but not the rights on it.
    await pool.query(`grant create on database ${new URL(bare.url).pathname.slice(1)} to willcall_owner`);
    if (words === 'encryption-key rotate') {
      vi.stubEnv('ENCRYPTION_KEY', key);
      await withClients((clients) => clients.list());
      vi.stubEnv('ENCRYPTION_KEY', '');
      writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ ENCRYPTION_KEY: key }));
    }
    await expectEntry(pool, words, action, subject).finally(() => pool.end());
  });
});

it('every command that changes something is tried here', async () => {
  const commands = allCommands(await willcallProgram()).filter(({ commands: parts }) => parts.length === 0);
  const pathOf = (command: Command): string =>
    command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
  const paths = commands.map(pathOf);
  const tried = paths.filter((path) =>
    [...CHANGES, ...CHANGES_OF_THE_OWNER].some(([words]) => `${words} `.startsWith(`${path} `)),
  );
  expect(paths.toSorted()).toEqual([...tried, ...Object.values(OTHERS).flat()].toSorted());
});
