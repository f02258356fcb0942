import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadSettings } from '#base/load-settings';
import { createPool } from '#database/pool';
import { retireEarlierKeys } from '#platform/encryption-key';
import { applicationUrl, createTestDatabase, ownerPool, type TestDatabase } from '../../../test/support/database.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { sealerOf, withSavedKey } from './encryption-key.js';
import { encryptionKeyCommand } from './rotate-key.js';
import { UserError } from './terminal/user-error.js';
import { verifyCommand } from './verify.js';
import { withClients } from './with-clients.js';

let database: TestDatabase;
let folder: string;
const key = randomBytes(32).toString('base64');
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  printed.mockClear();
  folder = temporaryFolder('cli');
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('ENCRYPTION_KEY', key);
  await withClients((clients) => clients.list());
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const verified = () => verifyCommand().parseAsync([], { from: 'user' });

describe('the encryption key of a command', () => {
  it('is the one that the database was sealed with', async () => {
    await verified();
    expect(printed.mock.calls.join()).toContain('The log is empty');
    vi.stubEnv('ENCRYPTION_KEY', '');
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ ENCRYPTION_KEY: key }));
    await verified();
  });

  it('is rejected by name if it is another one', async () => {
    vi.stubEnv('ENCRYPTION_KEY', randomBytes(32).toString('base64'));
    await expect(verified()).rejects.toThrow(/^ENCRYPTION_KEY \(fingerprint [0-9a-f]{16}\) is not the key/);
    await expect(withClients((clients) => clients.list())).rejects.toThrow(UserError);
    expect(printed).not.toHaveBeenCalled();
  });

  it('is missing for verify if it is lost', async () => {
    vi.stubEnv('ENCRYPTION_KEY', '');
    await expect(verified()).rejects.toThrow(/that is not set and not in .*secrets\.json/);
  });
});

describe('the key that npm start has made', () => {
  const rotated = () => encryptionKeyCommand().parseAsync(['rotate'], { from: 'user' });
  const saved = () => JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as Record<string, string>;
  const nothingWritten = () => expect(saved()).toEqual({ ENCRYPTION_KEY: key, BACKOFFICE_TOKEN: 'kept' });

  beforeEach(() => {
    vi.stubEnv('ENCRYPTION_KEY', '');
    vi.stubEnv('DATABASE_URL', applicationUrl(database.url));
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ ENCRYPTION_KEY: key, BACKOFFICE_TOKEN: 'kept' }));
  });

  it('is not rotated while Willcall runs, whose processes know only the old one', async () => {
    const options = { databaseUrl: applicationUrl(database.url), max: 1, onError: () => undefined };
    const api = createPool({ ...options, applicationName: 'willcall api' });
    await api.query('select');
    await expect(rotated()).rejects.toThrow(/^Willcall is running/);
    await api.end();
    nothingWritten();
  });

  it('is not rotated where it is a setting, or where it is not the key of the database', async () => {
    vi.stubEnv('ENCRYPTION_KEY', key);
    await expect(rotated()).rejects.toThrow(/^ENCRYPTION_KEY is a setting here/);
    nothingWritten();
    vi.stubEnv('ENCRYPTION_KEY', '');
    const others = { ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify(others));
    await expect(rotated()).rejects.toThrow(/not the key of the database/);
    expect(saved()).toEqual(others);
  });

  it('is rotated to a new one, which opens everything together with the old one, and only once until that is retired', async () => {
    await rotated();
    expect(saved()).toEqual({
      ENCRYPTION_KEY: expect.not.stringMatching(key) as string,
      ENCRYPTION_KEY_PREVIOUS: key,
      BACKOFFICE_TOKEN: 'kept',
    });
    const once = saved();
    await expect(rotated()).rejects.toThrow(/last change of the key is not finished/);
    // Records the new key, as a start does.
    await withClients((clients) => clients.list());
    await verified();
    await expect(rotated()).rejects.toThrow(/last change of the key is not finished/);
    expect(saved()).toEqual(once);
    // As the worker does when nothing needs the old one.
    const owner = ownerPool(database.url);
    await owner.query(`update encryption_keys set used_at = used_at - interval '6 minutes'`);
    await retireEarlierKeys(owner, sealerOf(withSavedKey(loadSettings())));
    await owner.end();
    await rotated();
    expect(saved()).toMatchObject({ ENCRYPTION_KEY_PREVIOUS: once['ENCRYPTION_KEY'] });
    const printedText = printed.mock.calls.join();
    for (const secret of [key, saved()['ENCRYPTION_KEY'] ?? '', once['ENCRYPTION_KEY'] ?? '']) {
      expect(printedText).not.toContain(secret);
    }
  });
});
