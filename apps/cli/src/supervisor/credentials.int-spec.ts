import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { parseSettings } from '#base/load-settings';
import type { Environment } from '#base/settings';
import { withDirectoryLock } from '#database/directory-lock';
import { claimCredentials, rotateSavedKey, secretsFile, withCredentials, withSavedCredentials } from './credentials.js';

let folder: string;
beforeEach(() => (folder = temporaryFolder('credentials')));
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settingsOf = (environment: Environment = {}) => parseSettings({ DATA_DIR: join(folder, 'data'), ...environment });
const kept = () => JSON.parse(readFileSync(secretsFile(settingsOf()), 'utf8')) as Record<string, string>;

describe('the credentials of the demo', () => {
  it('are generated once, and differ between installations', () => {
    const first = withCredentials(settingsOf(), true);
    expect(withCredentials(settingsOf(), true)).toEqual(first);
    expect(statSync(secretsFile(first)).mode & 0o777).toBe(0o600);
    expect(statSync(first.DATA_DIR).mode & 0o777).toBe(0o700);
    const elsewhere = withCredentials(settingsOf({ DATA_DIR: join(folder, 'other') }), true);
    const { OPERATOR_EMAIL: _constant, ...secrets } = kept();
    for (const name of Object.keys(secrets) as (keyof typeof first)[]) expect(elsewhere[name]).not.toEqual(first[name]);
  });

  it('are replaced by settings, which are not stored', () => {
    const set = { CHECKOUT_CLIENT_ID: 'mine', CHECKOUT_CLIENT_SECRET: 'a-secret-of-my-own' };
    expect(withCredentials(settingsOf(set), true)).toMatchObject(set);
    expect(Object.keys(kept())).toEqual([
      'DISCOVERY_CLIENT_ID',
      'BACKOFFICE_TOKEN',
      'OPERATOR_EMAIL',
      'OPERATOR_PASSWORD',
      'ENCRYPTION_KEY',
    ]);
  });

  it('are not generated with a real server, except for the encryption key of the demo', () => {
    const demo = withCredentials(settingsOf(), true);
    const own = withCredentials(settingsOf({ DATABASE_URL: 'postgres://db/willcall' }), false);
    expect(own.ENCRYPTION_KEY).toEqual(demo.ENCRYPTION_KEY);
    expect([own.CHECKOUT_CLIENT_ID, own.CHECKOUT_CLIENT_SECRET, own.BACKOFFICE_TOKEN]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are not generated again if their file is damaged', () => {
    const file = secretsFile(withCredentials(settingsOf(), true));
    writeFileSync(file, '{"ENCRYPTION_KEY": "c2Vjc');
    expect(() => withCredentials(settingsOf(), true)).toThrow(`${file} is not valid JSON`);
    writeFileSync(file, '{"ENCRYPTION_KEY": "c2VjcmV0"}');
    expect(() => withCredentials(settingsOf(), true)).toThrow(/ENCRYPTION_KEY: /);
  });

  it('are those of one process if two starts generate them at once', async () => {
    const settings = settingsOf({ DATABASE_URL: 'postgres://db/willcall' });
    const key = Buffer.alloc(32, 1);
    let second: ReturnType<typeof claimCredentials> | undefined;
    await withDirectoryLock(secretsFile(settings), async () => {
      second = claimCredentials(settings, false);
      await setImmediate();
      writeFileSync(secretsFile(settings), JSON.stringify({ ENCRYPTION_KEY: key.toString('base64') }));
    });
    expect((await second)?.ENCRYPTION_KEY).toEqual(key);
    expect(kept()).toEqual({ ENCRYPTION_KEY: key.toString('base64') });
  });

  it.each([
    ['the demo', true, {}],
    ['a real server', false, { DATABASE_URL: 'postgres://db/willcall' }],
  ])('open what both keys have sealed, once the key is rotated: %s', (_where, isDemo, environment) => {
    const settings = settingsOf(environment);
    const { ENCRYPTION_KEY: earlier } = withCredentials(settings, isDemo);
    rotateSavedKey(settings);
    for (const read of [withCredentials, withSavedCredentials]) {
      const { ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: previous } = read(settings, isDemo);
      expect(previous).toEqual([earlier]);
      expect(key).not.toEqual(earlier);
      // Whoever sets the key decides about both.
      const own = settingsOf({ ...environment, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') });
      expect(read(own, isDemo).ENCRYPTION_KEY_PREVIOUS).toBeUndefined();
    }
  });

  it('are generated despite the remains of a killed start, which are removed', async () => {
    const file = secretsFile(settingsOf());
    mkdirSync(join(folder, 'data'));
    writeFileSync(`${file}.4711`, '{"ENCRYPTION_KEY": "c2Vjc');
    await claimCredentials(settingsOf(), true);
    expect(readdirSync(join(folder, 'data'))).toEqual(['secrets.json']);
  });
});
