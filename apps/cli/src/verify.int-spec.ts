import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPool } from '#database/pool';
import { MaintenanceRuns } from '#upkeep/maintenance/maintenance-runs';
import { REBUILD_LOCK } from '#orders/rebuild';
import { TimeOrderedIds } from '#base/ids';
import { AnchorFile } from '#upkeep/anchor-file';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { databaseWithOrders, Tampering } from '../../../test/support/orders/tampering.js';
import { chainFeed, testSealer } from '../../../test/support/orders/chained-feed.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { projectionsCommand } from './projections.js';
import { UserError } from './terminal/user-error.js';
import { userName } from './terminal/user-name.js';
import { Checkpoints, IN_SHELL } from '#upkeep/verification-checkpoints';
import { verify } from '#upkeep/verify';
import { verifyCommand } from './verify.js';
import type { UsePool } from './database/with-pool.js';

let intact: TestDatabase;
let tampering: Tampering;
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  intact = await databaseWithOrders();
});

beforeEach(async () => {
  printed.mockClear();
  tampering = await Tampering.with(intact);
});

afterEach(async () => {
  process.exitCode = undefined;
  await tampering.end();
});

afterAll(() => intact.drop());

const use: UsePool = (work) => work(tampering.pool);
const output = () => printed.mock.calls.map(([line]) => String(line)).join('\n');

async function verified(...words: string[]): Promise<string> {
  await verifyCommand(use, async () => ({})).parseAsync(words, { from: 'user' });
  return output();
}

async function rebuilt(table: string): Promise<string> {
  const command = projectionsCommand(use);
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => undefined });
  await command.parseAsync(['rebuild', table], { from: 'user' });
  return output();
}

describe('verify', () => {
  it('says that everything agrees, and what it has checked', async () => {
    expect(await verified()).toMatch(
      /^Compared [\d,]+ streams, [\d,]+ events, .*[\d,]+ orders, .*\.\nNothing is chained yet: .*\nEverything agrees\.$/,
    );
    expect(process.exitCode).toBeUndefined();
  });

  it('names the differences and ends with 1', async () => {
    const id = await tampering.one(
      `update orders set total_cents = 1 where id = (select min(id) from orders) returning id`,
    );
    await tampering.sql(`update pings set ref_id = 'other'`);
    const text = await verified();
    expect(text).toContain(`orders: 1 differences\n  ${id} total_cents: is not what a replay gives\n`);
    expect(text).toMatch(
      /pings: \d+ differences\n( {2}ord_\w+ \d+ ref_id: is not what a replay gives\n){20} {2}and \d+ more\n/,
    );
    expect(text).toMatch(/Something differs\.$/);
    expect(process.exitCode).toBe(1);
  });

  it('is among the past runs, as rebuilds are', async () => {
    await tampering.sql(`update orders set total_cents = 1 where id = (select min(id) from orders)`);
    await verified();
    await rebuilt('orders');
    const runs = await new MaintenanceRuns(tampering.pool, new TimeOrderedIds()).list({ limit: 5 });
    expect(runs).toMatchObject([
      { kind: 'rebuild', projection: 'orders', state: 'done', requested_by: `cli:${userName()}` },
      { kind: 'verify', state: 'done', result: { found: { orders: 1 } }, requested_by: `cli:${userName()}` },
    ]);
  });

  it('works on a database that cannot be written', async () => {
    await tampering.sql(`alter database ${tampering.name} set default_transaction_read_only = on`);
    const readOnly: UsePool = async (work) => {
      const pool = createPool({
        databaseUrl: tampering.url,
        max: 3,
        applicationName: 'test',
        onError: () => undefined,
      });
      return await work(pool).finally(() => pool.end());
    };
    await verifyCommand(readOnly, async () => ({})).parseAsync([], { from: 'user' });
    expect(output()).toContain('Everything agrees.');
  });

  it('goes on where it was interrupted', async () => {
    await expect(verified('--resume')).rejects.toThrow('No verification was interrupted.');
    const checkpoints = new Checkpoints(tampering.pool, IN_SHELL);
    await verify(tampering.pool, { onCheckpoint: (checkpoint) => checkpoints.save(checkpoint) });
    // Only the whole tables are left.
    await tampering.sql('update orders set total_cents = 1');
    expect(await verified('--resume')).toMatch(/^Compared .*[1-9] orders, .*\nEverything agrees\.$/s);
    await expect(verified('--resume')).rejects.toThrow(UserError);
  });

  it('says that an empty log was not verified', async () => {
    const empty = await createTestDatabase();
    const pool = ownerPool(empty.url);
    await verifyCommand(
      (work) => work(pool),
      async () => ({}),
    ).parseAsync([], { from: 'user' });
    await pool.end();
    await empty.drop();
    expect(output()).toMatch(/^Compared 0 streams, .*\nThe log is empty, so nothing was verified\. .*$/);
  });

  it('prints JSON for programs', async () => {
    const id = await tampering.one(
      `update orders set total_cents = 1 where id = (select min(id) from orders) returning id`,
    );
    expect(JSON.parse(await verified('--json'))).toMatchObject({
      checked: { orders: expect.any(Number) as number },
      found: { orders: 1 },
      differences: [{ kind: 'orders', id, column: 'total_cents', problem: 'is not what a replay gives' }],
    });
    expect(process.exitCode).toBe(1);
  });

  it('compares with anchors of a file, and names what was cut off after them', async () => {
    const folder = temporaryFolder('verify');
    const path = join(folder, 'anchors.jsonl');
    await chainFeed(tampering.url, tampering.pool, path);
    const proofOf = (pool: Pool, paths: readonly string[]) => {
      return loadLedgerProof(
        pool,
        testSealer,
        paths.map((place) => new AnchorFile(place)),
      );
    };
    const verifiedWith = async (...words: string[]) => {
      printed.mockClear();
      await verifyCommand(use, proofOf).parseAsync(words, { from: 'user' });
      return output();
    };
    expect(await verifiedWith()).toMatch(
      /Chained under the key: ([\d,]+) of \1 events, since 2026-03-01T12:00:00.000Z\.\n\1 of them are older .*\nCompared with no anchor: .*\nEverything agrees\.$/,
    );
    expect(await verifiedWith('--anchor', path)).toMatch(/\nCompared with 1 anchors\.\nEverything agrees\.$/);
    await tampering.sql('delete from ledger');
    await tampering.sql('delete from feed where position = (select max(position) from feed)');
    expect(await verifiedWith('--anchor', path)).toMatch(
      /\nledger: 1 differences\n {2}anchor \d+: the feed ends at position \d+, but more of it was anchored at /,
    );
    rmSync(folder, { recursive: true });
  });

  it('shows its progress', async () => {
    const { rows } = await tampering.pool.query<{ total: number }>('select count(*)::int as total from events');
    const total = rows[0]?.total.toLocaleString('en');
    const isTTY = process.stderr.isTTY;
    process.stderr.isTTY = true;
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await verified();
    await rebuilt('orders');
    const shown = written.mock.calls.map(([text]) => String(text)).join('');
    written.mockRestore();
    process.stderr.isTTY = isTTY;
    expect(shown).toMatch(new RegExp(`\\r[\\d,]+ of ${total} events, \\d+ %`));
    expect(shown).toMatch(new RegExp(`\\rorders: filling, [\\d,]+ of ${total} events, \\d+ %`));
  });

  it('says that a rebuild is running', async () => {
    await tampering.sql('select pg_advisory_lock($1)', [REBUILD_LOCK]);
    await expect(verified()).rejects.toThrow(UserError);
  });
});

describe('projections rebuild', () => {
  it.each([
    ['orders', /^orders: [\d,]+ rows from [\d,]+ events in [\d.]+ s, [\d,]+ events a second \(filling /],
    ['status_history', /^status_history: [\d,]+ rows from/],
    ['ledger_entries', /^ledger_entries: [\d,]+ rows from/],
    ['disputes', /^disputes: [\d,]+ rows from/],
    ['money_tasks', /^money_tasks: [\d,]+ rows from/],
    ['ping-stream', /^ping-stream: [\d,]+ rows from/],
    ['work-queues', /^work-queues: [\d,]+ rows from [\d,]+ orders in [\d.]+ s$/],
    ['discovery-stats', /^discovery-stats: 0 events in [\d.]+ s$/],
    ['recommendations', /^recommendations: 0 rows from [\d,]+ orders in [\d.]+ s$/],
    [
      'all',
      /^orders: .*\nstatus_history: .*\nledger_entries: .*\ndisputes: .*\nmoney_tasks: .*\nping-stream: .*\nwork-queues: .*\ndiscovery-stats: .*\nrecommendations: /,
    ],
  ])('rebuilds %s and says how fast', async (table, says) => {
    await tampering.stream();
    await tampering.sql(`update orders set total_cents = 1`);
    await tampering.sql(`delete from status_history`);
    await tampering.sql(`delete from ledger_entries`);
    await tampering.sql(`delete from disputes`);
    await tampering.sql(`delete from money_tasks`);
    await tampering.sql(`delete from ping_stream`);
    await tampering.sql(`insert into discovery_performer_affinity values (1, 2, 3, 0.5)`);
    expect(await rebuilt(table)).toMatch(says);
    const kinds = new Set((await tampering.found()).map((difference) => difference.split(' ')[0]));
    const others = ['orders', 'ping_stream', 'status_history', 'ledger_entries', 'disputes', 'money_tasks'].filter(
      (kind) => kind !== table.replace('-', '_'),
    );
    expect(kinds).toEqual(new Set(table === 'all' ? [] : others));
    const left = await tampering.sql('select performer_id::text as id from discovery_performer_affinity');
    expect(left).toEqual(['recommendations', 'all'].includes(table) ? [] : ['1']);
  });

  it('rejects unknown tables, and a second rebuild', async () => {
    await expect(rebuilt('pings')).rejects.toThrow(/'pings' is invalid/);
    await tampering.sql('select pg_advisory_lock_shared($1)', [REBUILD_LOCK]);
    await expect(rebuilt('orders')).rejects.toThrow(UserError);
  });
});
