import { userInfo } from 'node:os';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { operatorsCommand } from './operators.js';

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  database = await createTestDatabase();
  const options = { databaseUrl: database.url, max: 1, applicationName: 'test', onError: () => undefined };
  pool = createPool(options);
  owner = createPool({ ...options, asOwner: true });
});
beforeEach(() => owner.query('truncate operators, audit_log cascade'));
afterAll(async () => {
  await Promise.all([pool.end(), owner.end()]);
  await database.drop();
});

async function run(...words: string[]): Promise<string> {
  printed.mockClear();
  const command = operatorsCommand(
    (work) => work(pool),
    () => 'https://tickets.example',
  );
  await command.parseAsync(words, { from: 'user' });
  return printed.mock.calls.map(([line]) => String(line)).join('\n');
}
const add = (...words: string[]) => run('add', 'ada@example.com', '--name', 'Ada', ...words);

it('adds a person and prints an invitation once', async () => {
  expect(await run('list')).toBe('There are no operators yet.');
  const text = await add('--role', 'support', '--role', 'auditor');
  expect(text).toMatch(/^invitation {2}https:\/\/tickets\.example\/invitation#wsi_[0-9a-f]{64}$/m);
  expect(await run('list')).toMatch(/^opr_[0-9a-f]{32} {2}ada@example\.com {2}Ada: support, auditor$/);
  expect(await run('list', '--json')).not.toContain('wsi_');
});

it('limits a broker to sellers', async () => {
  await add('--role', 'broker', '--seller', 'Front Row', '--seller', 'Back Row');
  expect(JSON.parse(await run('list', '--json'))).toMatchObject([{ sellers: ['Front Row', 'Back Row'] }]);
});

it('resets and disables only after a question', async () => {
  await run('add', 'root@example.com', '--name', 'Root', '--role', 'administrator');
  await add('--role', 'viewer');
  await expect(run('reset', 'ada@example.com')).rejects.toThrow(/Reset ada@example\.com\?/);
  expect(await run('reset', 'ADA@example.com', '--yes')).toContain('/invitation#wsi_');
  await expect(run('disable', 'ada@example.com')).rejects.toThrow(/Disable ada@example\.com\?/);
  expect(await run('disable', 'ada@example.com', '--yes')).toBe('Disabled ada@example.com.');
  expect(await run('list')).toMatch(/Ada: viewer; disabled$/m);
});

it('leaves an entry in the audit log for each change', async () => {
  await add('--role', 'viewer');
  await run('reset', 'ada@example.com', '--yes');
  await run('disable', 'ada@example.com', '--yes');
  const { rows } = await pool.query<{ actor: string; action: string }>(
    'select actor, action from audit_log order by position',
  );
  const actor = `cli:${userInfo().username}`;
  expect(rows).toEqual(['created', 'reset', 'changed'].map((verb) => ({ actor, action: `operator.${verb}` })));
});

it('says what is wrong', async () => {
  await add('--role', 'administrator');
  await expect(add('--role', 'viewer')).rejects.toThrow('Another operator has this e-mail address.');
  await expect(run('disable', 'ada@example.com', '--yes')).rejects.toThrow('This is the last active administrator.');
  await expect(run('reset', 'bo@example.com', '--yes')).rejects.toThrow(
    'There is no operator with this e-mail address.',
  );
  await expect(run('add', 'ada', '--name', 'Ada', '--role', 'viewer')).rejects.toThrow('ada is not an e-mail address.');
  await expect(add('--role', 'boss')).rejects.toThrow('--role must be one of administrator, operations');
});
