import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
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
  folder = mkdtempSync(join(tmpdir(), 'willcall-cli-'));
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
    expect(printed.mock.calls.join()).toContain('Everything agrees.');
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
