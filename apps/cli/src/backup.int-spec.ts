import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#database/embedded-postgres';
import { migrate } from '#database/migrate';
import { verify } from '#verification/verify';
import { SeededRandomness } from '#runtime/seeded-randomness';
import { copyEmptyCluster, ownerPool } from '../../../test/support/database.js';
import { LiveOrders } from '../../../test/support/orders/live-orders.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { backupCommand } from './backup.js';
import { restoreCommand } from './restore.js';

let folder: string;
let source: EmbeddedPostgres;
let pool: Pool;
const archive = () => join(folder, 'backup.tar.gz');
vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  folder = temporaryFolder('backup');
  mkdirSync(join(folder, 'from'));
  source = await startEmbeddedPostgres({ dataDirectory: copyEmptyCluster(join(folder, 'from')), durable: true });
  await migrate(source.url);
  writeFileSync(join(folder, 'from/secrets.json'), '{"BACKOFFICE_TOKEN":"kept"}', { mode: 0o600 });
  pool = ownerPool(source.url);
});
afterAll(async () => {
  await pool.end();
  await source.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => vi.unstubAllEnvs());

async function run(command: 'backup' | 'restore', dataDirectory: string, file = archive()): Promise<void> {
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('DATA_DIR', join(folder, dataDirectory));
  await (command === 'backup' ? backupCommand() : restoreCommand()).parseAsync([file], { from: 'user' });
}

const timeline = async (of: Pool) =>
  (await of.query('select timeline_id as id from pg_control_checkpoint()')).rows[0]?.id;

describe('backup and restore', () => {
  it('keep every acknowledged order while more arrive, and everything agrees', async () => {
    const orders = new LiveOrders(pool, new SeededRandomness(7));
    await orders.live(40);
    const { rows: before } = await pool.query<{ id: string }>('select id from orders');
    let isOver = false;
    const more = (async () => {
      while (!isOver) await orders.live(5);
    })();
    await run('backup', 'from').finally(() => (isOver = true));
    await more;
    expect(statSync(archive()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).toSorted()).toEqual(['backup.tar.gz', 'from']);

    await run('restore', 'to');
    expect(readdirSync(join(folder, 'to')).toSorted()).toEqual(['postgres', 'secrets.json']);
    expect(readFileSync(join(folder, 'to/secrets.json'), 'utf8')).toBe('{"BACKOFFICE_TOKEN":"kept"}');
    expect(statSync(join(folder, 'to/secrets.json')).mode & 0o777).toBe(0o600);
    const restored = await startEmbeddedPostgres({ dataDirectory: join(folder, 'to/postgres'), durable: true });
    const there = ownerPool(restored.url);
    const { rows: after } = await there.query<{ id: string }>('select id from orders');
    const found = new Set(after.map(({ id }) => id));
    expect(before.length).toBeGreaterThan(10);
    expect(before.filter(({ id }) => !found.has(id))).toEqual([]);
    expect((await verify(there)).differences).toEqual([]);
    // The new timeline tells a reader of the feed that the newest positions may be missing.
    expect(await timeline(there)).toBeGreaterThan(await timeline(pool));
    await there.end();
    await restored.stop();
  });

  it('do not replace an existing file or installation', async () => {
    await expect(run('backup', 'from')).rejects.toThrow('exists already');
    await expect(run('restore', 'from')).rejects.toThrow('is not empty');
    await expect(run('backup', 'nowhere', join(folder, 'new.tar.gz'))).rejects.toThrow('no installation in');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  it('reject damaged and foreign archives in one sentence, before they change anything', async () => {
    const whole = readFileSync(archive());
    const plain = gunzipSync(whole);
    const secrets = plain.indexOf('"BACKOFFICE_TOKEN":"kept"');
    const changed = Buffer.from(plain);
    changed.write('X', secrets + 20);
    const bad: [string, Buffer, string][] = [
      ['cut.tar.gz', whole.subarray(0, whole.length / 2), 'is damaged'],
      ['changed.tar.gz', gzipSync(changed, { level: 1 }), 'is damaged: files/secrets.json'],
      ['text.tar.gz', Buffer.from('no archive'), 'is not a backup'],
      ['other.tar.gz', gzipSync(Buffer.alloc(1024)), 'is not a backup'],
      [
        'version.tar.gz',
        gzipSync(
          Buffer.from(plain.toString('latin1').replace('"postgres_version":"18', '"postgres_version":"17'), 'latin1'),
        ),
        'The backup is of PostgreSQL 17',
      ],
    ];
    for (const [name, content, says] of bad) {
      writeFileSync(join(folder, name), content);
      await expect(run('restore', 'untouched', join(folder, name)), name).rejects.toThrow(says);
      expect(existsSync(join(folder, 'untouched')), name).toBe(false);
    }
    await expect(run('restore', 'untouched', join(folder, 'absent.tar.gz'))).rejects.toThrow('There is no file');
  });
});
