import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#database/embedded-postgres';
import { migrate } from '#database/migrate';
import { verify } from '#upkeep/verify';
import { SeededRandomness } from '#base/seeded-randomness';
import { copyEmptyCluster, ownerPool } from '../../../test/support/database.js';
import { LiveOrders } from '../../../test/support/orders/live-orders.js';
import { changedArchive } from '../../../test/support/changed-archive.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { backupCommand } from './backup.js';
import { restoreCommand } from './restore.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const SECRETS = JSON.stringify({ BACKOFFICE_TOKEN: 'kept', ENCRYPTION_KEY: KEY });

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
  writeFileSync(join(folder, 'from/secrets.json'), SECRETS, { mode: 0o600 });
  pool = ownerPool(source.url);
});
afterAll(async () => {
  await pool.end();
  await source.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => vi.unstubAllEnvs());

async function run(
  command: 'backup' | 'restore',
  dataDirectory: string,
  file = archive(),
  ...options: string[]
): Promise<void> {
  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('DATA_DIR', join(folder, dataDirectory));
  vi.stubEnv('KNOWN_BACKUPS_FILE', join(folder, 'noted/known-backups'));
  await (command === 'backup' ? backupCommand() : restoreCommand()).parseAsync([file, ...options], { from: 'user' });
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
    expect(readdirSync(folder).toSorted()).toEqual(['backup.tar.gz', 'from', 'noted']);

    await run('restore', 'to');
    expect(readdirSync(join(folder, 'to')).toSorted()).toEqual(['postgres', 'secrets.json']);
    expect(readFileSync(join(folder, 'to/secrets.json'), 'utf8')).toBe(SECRETS);
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

  it('refuse an archive that was changed with all its digests, and signed with the key that it carries', async () => {
    const file = join(folder, 'signed.tar.gz');
    const replaced = { 'files/secrets.json': JSON.stringify({ ENCRYPTION_KEY: KEY, BACKOFFICE_TOKEN: 'theirs' }) };
    for (const key of [KEY, undefined]) {
      writeFileSync(file, await changedArchive(archive(), replaced, key));
      await expect(run('restore', 'untouched', file), key).rejects.toThrow('may have been changed');
      vi.stubEnv('ENCRYPTION_KEY', Buffer.alloc(32, 8).toString('base64'));
      await expect(run('restore', 'untouched', file), key).rejects.toThrow('may have been changed');
      vi.unstubAllEnvs();
    }
    expect(existsSync(join(folder, 'untouched'))).toBe(false);
    // Where the key of the settings signed it, the archive is of the installation.
    writeFileSync(file, await changedArchive(archive(), replaced, KEY));
    vi.stubEnv('ENCRYPTION_KEY', KEY);
    await run('restore', 'signed', file);
    expect(readFileSync(join(folder, 'signed/secrets.json'), 'utf8')).toContain('theirs');
  });

  it('accept a backup of another machine under the key of the settings only, and any under --trust', async () => {
    rmSync(join(folder, 'noted/known-backups'));
    await expect(run('restore', 'elsewhere')).rejects.toThrow('set ENCRYPTION_KEY to the key of its installation');
    vi.stubEnv('ENCRYPTION_KEY', Buffer.alloc(32, 8).toString('base64'));
    await expect(run('restore', 'elsewhere')).rejects.toThrow('its HMAC is not of your ENCRYPTION_KEY');
    vi.stubEnv('ENCRYPTION_KEY_PREVIOUS', KEY);
    await run('restore', 'elsewhere');
    vi.unstubAllEnvs();
    await run('restore', 'trusted', archive(), '--trust');
    expect(existsSync(join(folder, 'trusted/postgres/PG_VERSION'))).toBe(true);
  });

  it('use no configuration, links or signals of an archive, even a trusted one', async () => {
    const marks = join(folder, 'marks');
    mkdirSync(marks);
    chmodSync(marks, 0o777);
    const touch = (name: string) => `${name} = 'touch ${marks}/${name}'\n`;
    const commands = ['restore_command', 'archive_command', 'archive_cleanup_command', 'recovery_end_command'];
    const hostile = `${commands.map(touch).join('')}${touch('ssl_passphrase_command')}archive_mode = on\ninclude_if_exists = 'more.conf'\n`;
    const file = join(folder, 'hostile.tar.gz');
    const changes = {
      'postgres/postgresql.conf': hostile,
      'postgres/postgresql.auto.conf': `${hostile}session_preload_libraries = 'none'\n`,
      'postgres/pg_hba.conf': 'host all all all trust\n',
      'postgres/more.conf': "shared_preload_libraries = 'none'\n",
      'postgres/base/more.conf': hostile,
      'postgres/standby.signal': '',
      'postgres/tablespace_map': `16999 ${marks}\n`,
      'postgres/pg_tblspc/16999': 'x',
    };
    writeFileSync(file, await changedArchive(archive(), changes));
    await run('restore', 'hostile', file, '--trust');
    const found = readdirSync(join(folder, 'hostile/postgres'));
    for (const name of ['more.conf', 'standby.signal', 'tablespace_map', 'tablespace_map.old']) {
      expect(found).not.toContain(name);
    }
    const restored = await startEmbeddedPostgres({ dataDirectory: join(folder, 'hostile/postgres'), durable: true });
    const there = ownerPool(restored.url);
    const { rows } = await there.query(
      "select name from pg_settings where setting like '%touch%' or setting = 'none' and name like '%preload%'",
    );
    const { rows: rules } = await there.query("select 1 from pg_hba_file_rules where auth_method = 'trust'");
    await there.end();
    await restored.stop();
    expect([rows, rules, readdirSync(marks), readdirSync(join(folder, 'hostile/postgres/pg_tblspc'))]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it.each([
    'files/postgres-18.4.0/native/bin/postgres',
    'files/./postgres-18/x',
    'files/../x',
    '/etc/x',
    'postgres/../x',
  ])('refuse an archive with %s, where programs of the server or of others may lie', async (name) => {
    const file = join(folder, 'placed.tar.gz');
    writeFileSync(file, await changedArchive(archive(), { [name]: '#!/bin/sh' }));
    await expect(run('restore', 'untouched', file, '--trust')).rejects.toThrow('is not a backup');
    expect(existsSync(join(folder, 'untouched'))).toBe(false);
  });
});
