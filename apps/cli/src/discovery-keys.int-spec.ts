import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import { createPool } from '#database/pool';
import { DiscoveryKeys, type KeyCredentials } from '#accounts/discovery-keys';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { keysCommand } from './discovery-keys.js';
import { UserError } from './terminal/user-error.js';

let database: TestDatabase;
let pool: Pool;
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 1, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** As another process that has read the keys just now. */
const admitted = (credentials: KeyCredentials) =>
  new DiscoveryKeys(pool, new SystemClock(), new SystemRandomness()).admit(credentials);

/** The output of the command. */
async function run(...words: string[]): Promise<string> {
  printed.mockClear();
  const command = keysCommand((work) => work(pool));
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => undefined });
  await command.parseAsync(words, { from: 'user' });
  return printed.mock.calls.map(([line]) => String(line)).join('\n');
}

describe('clients keys', () => {
  it('add prints a valid key', async () => {
    expect(await run('list')).toBe('There are no keys yet.');
    const [, clientId = ''] = /^client id {2}(\S+)$/.exec(await run('add', 'A site')) ?? [];
    expect(await admitted({ clientId })).toMatchObject({ ratePerSecond: null });
    const text = await run('add', 'With all', '--id', 'all', '--rate', '5', '--with-secret');
    const [, secret] = /^secret {5}(\S+)$/m.exec(text) ?? [];
    expect(await admitted({ clientId: 'all', secret })).toMatchObject({ ratePerSecond: 5 });
    expect(JSON.parse(await run('add', 'As JSON', '--id', 'j', '--json'))).toEqual({ client_id: 'j' });
  });

  it('list shows the usage of the keys, and no secret', async () => {
    await pool.query(
      `insert into discovery_key_usage values ('all', current_date, 12, 3), ('all', current_date - 1, 1, 0)`,
    );
    expect(await run('list')).toMatch(
      /^all {2}With all, 5 a second, 500 a page, made 20.*, 13 requests in 30 days, 3 of them too many$/m,
    );
    const listed = JSON.parse(await run('list', '--json')) as { client_id: string; usage: unknown[] }[];
    expect(listed.find(({ client_id }) => client_id === 'all')).toMatchObject({
      has_secret: true,
      usage: { length: 2 },
    });
  });

  it('change gives a key the right to larger pages', async () => {
    await run('add', 'Partner', '--id', 'partner', '--per-page', '20');
    expect(await admitted({ clientId: 'partner' })).toMatchObject({ ratePerSecond: null, maxPerPage: 20 });
    expect(await run('change', 'partner', '--per-page', '5000')).toBe('Changed key partner.');
    expect(await run('change', 'partner', '--rate', '7')).toBe('Changed key partner.');
    expect(await admitted({ clientId: 'partner' })).toMatchObject({ ratePerSecond: 7, maxPerPage: 5_000 });
    const refused = [
      ['partner'],
      ['partner', '--per-page', '5001'],
      ['partner', '--per-page', '0'],
      ['nobody', '--rate', '1'],
    ];
    for (const words of refused) await expect(run('change', ...words)).rejects.toThrow(UserError);
  });

  it('rotate prints a new secret, and the earlier one stays valid for as long as it says', async () => {
    const secretIn = (text: string) => /^secret {5}(\S+)$/m.exec(text)?.[1] ?? '';
    const first = secretIn(await run('add', 'Rotated', '--id', 'rotated', '--with-secret'));
    const text = await run('rotate', 'rotated');
    expect(text).toContain('The earlier one stays valid for 24 h.');
    const second = secretIn(text);
    for (const secret of [first, second]) expect(await admitted({ clientId: 'rotated', secret })).toBeDefined();
    const { client_secret: third } = JSON.parse(await run('rotate', 'rotated', '--overlap', '0', '--json')) as {
      client_secret: string;
    };
    const found = [first, second, third].map((secret) => admitted({ clientId: 'rotated', secret }));
    expect((await Promise.all(found)).map((key) => key !== undefined)).toEqual([false, false, true]);
    await expect(run('rotate', 'j')).rejects.toThrow('This key has no secret.');
    await expect(run('rotate', 'nobody')).rejects.toThrow(UserError);
    await expect(run('rotate', 'rotated', '--overlap', '721')).rejects.toThrow('at most 720 hours');
  });

  it('revoke is permanent', async () => {
    expect(await run('revoke', 'j', '--yes')).toBe('Revoked key j.');
    expect(await admitted({ clientId: 'j' })).toBeUndefined();
    expect(await run('list')).toMatch(/^j {2}As JSON, 500 a page, made 20.*, revoked 20/m);
  });

  it('revoke asks first, and changes nothing without a yes', async () => {
    const asked: string[] = [];
    const answered = (answer: () => void) =>
      keysCommand(
        (work) => work(pool),
        async (question) => {
          asked.push(question);
          answer();
        },
      ).parseAsync(['revoke', 'all'], { from: 'user' });
    const no = answered(() => {
      throw new UserError('Nothing was changed.');
    });
    await expect(no).rejects.toThrow('Nothing was changed.');
    await run('add', 'Asked', '--id', 'asked');
    await expect(run('revoke', 'asked')).rejects.toThrow(/Revoke key asked\? .* add --yes/);
    expect(await admitted({ clientId: 'asked' })).toBeDefined();
    await answered(() => undefined);
    expect(await admitted({ clientId: 'all' })).toBeUndefined();
    expect(asked).toEqual(Array(2).fill('Revoke key all? Requests with it are refused from then on.'));
  });

  it('list shows control characters of strangers instead of executing them', async () => {
    await pool.query(`update discovery_keys set name = E'\\x1b[2J' where client_id = 'all'`);
    expect(await run('list')).toMatch(/^all {2}\\u\{1b\}\[2J/m);
    expect(await run('list', '--json')).not.toContain('\u001b');
  });

  it('report errors', async () => {
    for (const words of [
      ['add', 'Same', '--id', 'all'],
      ['add', 'Colon', '--id', 'a:b'],
      ['add', 'Idle', '--rate', '0'],
      ['revoke', 'nobody', '--yes'],
    ]) {
      await expect(run(...words)).rejects.toThrow(UserError);
    }
    await expect(run('add', 'Odd', '--rate', 'fast')).rejects.toThrow('whole number');
  });
});
