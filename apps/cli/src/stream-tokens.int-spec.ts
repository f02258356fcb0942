import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createPool } from '#database/pool';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { streamTokensCommand } from './stream-tokens.js';
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

async function run(...words: string[]): Promise<string> {
  printed.mockClear();
  await streamTokensCommand(
    (work) => work(pool),
    undefined,
    () => 90,
  ).parseAsync(words, { from: 'user' });
  return printed.mock.calls.map(([line]) => String(line)).join('\n');
}

it('adds, lists and revokes, and shows a token only when it is created', async () => {
  expect(await run('list')).toBe('There are no tokens yet.');
  const text = await run('add', 'Warehouse');
  const [, id = ''] = /^token id {2}(stk_[0-9a-f]{32})$/m.exec(text) ?? [];
  expect(text).toMatch(/^token {5}wst_[0-9a-f]{64}$/m);
  expect(await run('list')).toMatch(new RegExp(`^${id}  Warehouse, made \\S+, never used, ends \\S+$`));
  await expect(run('revoke', id)).rejects.toThrow(/Revoke token stk_\w+\? .* add --yes/);
  expect(await run('list')).not.toContain('revoked');
  expect(await run('revoke', id, '--yes')).toBe(`Revoked token ${id}.`);
  expect(await run('list')).toMatch(/, revoked \S+$/);

  const added = JSON.parse(await run('add', 'Screen', '--json')) as object;
  expect(added).toEqual({
    id: expect.any(String),
    name: 'Screen',
    token: expect.stringMatching(/^wst_/),
    expires_at: expect.any(String),
  });
  const listed = JSON.parse(await run('list', '--json')) as object[];
  expect(listed).toMatchObject([
    { id, revoked_at: expect.any(String) },
    { name: 'Screen', revoked_at: null },
  ]);
  expect(JSON.stringify(listed)).not.toContain('wst_');
});

it.each([
  [[], 90],
  [['--expires', '30d'], 30],
  [['--expires', 'never'], null],
])('makes a token that ends, unless it is told not to: %j', async (words, days) => {
  const before = Date.now();
  const { expires_at: end } = JSON.parse(await run('add', 'Ending', ...words, '--json')) as {
    expires_at: string | null;
  };
  if (days === null) return expect(end).toBeNull();
  const left = Date.parse(end ?? '') - days * 86_400_000;
  expect(left).toBeGreaterThanOrEqual(before);
  expect(left).toBeLessThanOrEqual(Date.now());
});

it.each([
  ['soon', '--expires must be a day'],
  ['0d', '--expires must be a day'],
  ['2020-01-01', '--expires must be in the future.'],
])('makes no token that ends %s', async (end, message) => {
  const before = await run('list', '--json');
  await expect(run('add', 'Never made', '--expires', end)).rejects.toThrow(message);
  expect(await run('list', '--json')).toBe(before);
});

it('reports errors', async () => {
  await expect(run('add', '')).rejects.toThrow(UserError);
  await expect(run('revoke', 'stk_none', '--yes')).rejects.toThrow('There is no token of this id.');
});

it('shows control characters of strangers instead of executing them', async () => {
  await run('add', 'Hostile');
  await pool.query(`update stream_tokens set name = E'\\x1b[2J' where name = 'Hostile'`);
  expect(await run('list')).toContain('  \\u{1b}[2J, made ');
  expect(await run('list', '--json')).not.toContain('\u001b');
});
