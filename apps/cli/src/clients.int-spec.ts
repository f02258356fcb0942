import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { createPool } from '#database/pool';
import { ClientRegistry } from '#accounts/clients';
import { Sealer } from '#base/sealing';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { clientsCommand } from './clients.js';
import { UserError } from './terminal/user-error.js';

let database: TestDatabase;
let pool: Pool;
let registry: ClientRegistry;
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ databaseUrl: database.url, max: 1, applicationName: 'test', onError: () => undefined });
  const randomness = new SystemRandomness();
  const sealer = new Sealer(randomBytes(32), randomness);
  registry = new ClientRegistry(pool, sealer, new SystemClock(), new TimeOrderedIds(), randomness);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => {
  printed.mockClear();
});

/** The output of the command. */
async function run(...words: string[]): Promise<string> {
  printed.mockClear();
  const command = clientsCommand((work) => work(registry, pool));
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => undefined });
  await command.parseAsync(words, { from: 'user' });
  return printed.mock.calls.map(([line]) => String(line)).join('\n');
}

type Printed = { client_id: string; secret_id: string; secret: string };
type Listed = { client_id: string; variant: string; revoked_at: string | null; secrets: { id: string }[] };

async function runJson<T>(...words: string[]): Promise<T> {
  return JSON.parse(await run(...words, '--json')) as T;
}

async function liveSecrets(clientId: string): Promise<string[] | undefined> {
  return (await registry.find(clientId))?.secrets.map(String);
}

describe('clients', () => {
  it('add prints the secret that is valid from then on', async () => {
    const text = await run('add', 'Ticket Platform', '--id', 'by-text', '--variant', 'wholesale');
    const secret = /^secret {5}(\S+)$/m.exec(text)?.[1] ?? '';
    expect(text).toContain('client id  by-text');
    expect(await liveSecrets('by-text')).toEqual([secret]);
    expect(await registry.find('by-text')).toMatchObject({ variant: 'wholesale' });
  });

  it('add generates an id and uses the payment variant by default', async () => {
    const made = await runJson<Printed>('add', 'Another');
    expect(await liveSecrets(made.client_id)).toEqual([made.secret]);
    expect(await registry.find(made.client_id)).toMatchObject({ variant: 'payment' });
  });

  it('list shows every client and no secret', async () => {
    const made = await runJson<Printed>('add', 'Listed');
    const text = await run('list');
    expect(text).toContain(`${made.client_id}  Listed, payment, made 20`);
    expect(text).toContain(`  ${made.secret_id}  made 20`);
    const listed = await runJson<Listed[]>('list');
    expect(listed.find(({ client_id }) => client_id === made.client_id)).toMatchObject({
      name: 'Listed',
      variant: 'payment',
      revoked_at: null,
      secrets: [{ id: made.secret_id, revoked_at: null }],
    });
    expect(text + JSON.stringify(listed)).not.toContain(made.secret);
  });

  it('rotate and revoke change the secret without a gap', async () => {
    const first = await runJson<Printed>('add', 'Rotated');
    const second = await runJson<Printed>('rotate', first.client_id);
    expect(await liveSecrets(first.client_id)).toEqual([second.secret, first.secret]);
    expect(await run('revoke', first.client_id, '--secret', first.secret_id)).toContain('Revoked secret');
    expect(await liveSecrets(first.client_id)).toEqual([second.secret]);
    expect(await run('rotate', first.client_id)).toContain('stays valid until');
    expect(await run('revoke', first.client_id, '--yes')).toBe(`Revoked client ${first.client_id}.`);
    expect(await liveSecrets(first.client_id)).toBeUndefined();
    expect(await run('list')).toMatch(new RegExp(`^${first.client_id} .*, revoked 20`, 'm'));
  });

  it('add and rotate accept the secrets of the platform', async () => {
    const added = await runJson<Printed>('add', 'Platform', '--id', 'given', '--secret', 'the-first-secret');
    expect(added).toMatchObject({ client_id: 'given', secret: 'the-first-secret' });
    await run('rotate', 'given', '--secret', 'the-next-secret');
    expect(await liveSecrets('given')).toEqual(['the-next-secret', 'the-first-secret']);
  });

  it('change renames a client, and says whether its purchases need a ref_id', async () => {
    await run('add', 'Strict', '--id', 'strict', '--require-ref-id');
    expect(await registry.find('strict')).toMatchObject({ requireRefId: true });
    expect(await run('list')).toContain('strict  Strict, payment, requires ref_id, made ');
    await run('change', 'strict', '--name', 'Renamed');
    expect(await registry.find('strict')).toMatchObject({ requireRefId: true });
    expect(await run('change', 'strict', '--no-require-ref-id')).toBe('Changed client strict.');
    const [listed] = (await runJson<Listed[]>('list')).filter(({ client_id }) => client_id === 'strict');
    expect(listed).toMatchObject({ name: 'Renamed', require_ref_id: false });
    await expect(run('change', 'strict')).rejects.toThrow('Say what to change');
    await expect(run('change', 'nobody', '--name', 'x')).rejects.toThrow('There is no client with this id.');
  });

  it('revoke asks first, and changes nothing without a yes', async () => {
    const { client_id: id, secret } = await runJson<Printed>('add', 'Asked');
    const asked: string[] = [];
    const answered = (answer: () => void) =>
      clientsCommand(
        (work) => work(registry, pool),
        undefined,
        async (question) => {
          asked.push(question);
          answer();
        },
      ).parseAsync(['revoke', id], { from: 'user' });
    const no = answered(() => {
      throw new UserError('Nothing was changed.');
    });
    await expect(no).rejects.toThrow('Nothing was changed.');
    expect(await liveSecrets(id)).toEqual([secret]);
    await answered(() => undefined);
    expect(await liveSecrets(id)).toBeUndefined();
    expect(asked).toEqual(Array(2).fill(`Revoke client ${id}? All its requests are refused from then on.`));
  });

  it('add restores a revoked client with only a new secret', async () => {
    const before = await runJson<Printed>('add', 'Was', '--id', 'again', '--variant', 'wholesale');
    await expect(run('add', 'Is', '--id', 'again')).rejects.toThrow('A client with this id exists already.');
    await run('revoke', 'again', '--yes');
    await expect(run('add', 'Is', '--id', 'again', '--secret', 'two words')).rejects.toThrow(UserError);
    const after = await runJson<Printed>('add', 'Is', '--id', 'again');
    expect(after.secret).not.toBe(before.secret);
    expect(await liveSecrets('again')).toEqual([after.secret]);
    expect(await registry.find('again')).toMatchObject({ variant: 'wholesale' });
    const listed = await runJson<Listed[]>('list');
    expect(listed.find(({ client_id }) => client_id === 'again')).toMatchObject({
      name: 'Is',
      revoked_at: null,
      secrets: [
        { id: after.secret_id, revoked_at: null },
        { id: before.secret_id, revoked_at: expect.any(String) as string },
      ],
    });
  });

  it('list shows control characters of strangers instead of executing them', async () => {
    await run('add', 'Hostile', '--id', 'hostile');
    await pool.query(`update clients set name = E'\\x1b[2J' where client_id = 'hostile'`);
    expect(await run('list')).toMatch(/^hostile {2}\\u\{1b\}\[2J, payment/m);
    expect(await run('list', '--json')).not.toContain('\u001b');
  });

  it('report errors, and change nothing', async () => {
    const { client_id: id, secret } = await runJson<Printed>('add', 'Steady');
    const refused = [
      ['add', 'Same', '--id', id],
      ['add', 'Colon', '--id', 'a:b'],
      ['add', 'Spaces', '--secret', 'two words'],
      ['rotate', 'nobody'],
      ['rotate', id, '--secret', ''],
      ['revoke', 'nobody', '--yes'],
      ['revoke', id],
      ['revoke', id, '--secret', 'sec_none'],
    ];
    for (const words of refused) await expect(run(...words)).rejects.toThrow(UserError);
    await expect(run('add', 'Odd', '--variant', 'retail')).rejects.toThrow('Allowed choices');
    expect(await liveSecrets(id)).toEqual([secret]);
  });
});
