import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { UserError } from './terminal/user-error.js';
import { withClients } from './with-clients.js';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  folder = temporaryFolder('cli');
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('ENCRYPTION_KEY', randomBytes(32).toString('base64'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const list = () => withClients((clients) => clients.list());

describe('withClients', () => {
  it('uses the database of the settings', async () => {
    await withClients((clients) => clients.create({ clientId: 'here', name: 'Here', variant: 'payment' }));
    expect((await list()).map(({ client_id }) => client_id)).toEqual(['here']);
  });

  it('does not generate a key', async () => {
    vi.stubEnv('ENCRYPTION_KEY', '');
    await expect(list()).rejects.toThrow(UserError);
    expect(existsSync(join(folder, 'secrets.json'))).toBe(false);
  });

  it('reports a database that was never migrated', async () => {
    vi.stubEnv('DATABASE_URL', inject('clusterUrl'));
    await expect(list()).rejects.toThrow(UserError);
  });
});
