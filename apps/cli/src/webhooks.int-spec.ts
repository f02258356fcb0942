import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadSettings, parseSettings } from '#base/load-settings';
import type { Environment } from '#base/settings';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { apiEnvironment } from '../../../test/support/api-environment.js';
import { STAFF_TOKEN } from '../../../test/support/callers.js';
import { quietPort } from '../../../test/support/quiet-port.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { isSignedWith, acceptWebhook, WebhookDouble } from '../../../test/support/webhooks/webhook-double.js';
import { lastAddresses, saveAddresses } from './addresses.js';
import { runningService } from './running-service.js';
import { exitCodeOf, UserError } from './terminal/user-error.js';
import { webhooksCommand } from './webhooks.js';

let api: TestApi;
let strict: TestApi;
let receiver: WebhookDouble;
let folder: string;
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  api = await startTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  strict = await startTestApi();
  receiver = await WebhookDouble.start();
});
afterAll(async () => {
  await receiver.stop();
  await Promise.all([api.close(), strict.close()]);
});
beforeEach(() => {
  receiver.answering = acceptWebhook;
  folder = temporaryFolder('webhooks');
  environment({ ...apiEnvironment(api.databaseUrl), PUBLIC_URL: api.url, DATA_DIR: folder });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function environment(values: Environment): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
}

/** The output of the command. */
async function run(...words: string[]): Promise<string> {
  printed.mockClear();
  const command = webhooksCommand();
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => undefined });
  await command.parseAsync(words, { from: 'user' });
  return printed.mock.calls.map(([line]) => String(line)).join('\n');
}

const failure = (...words: string[]): Promise<unknown> =>
  run(...words).then(
    () => undefined,
    (error: unknown) => error,
  );

async function added(...options: string[]): Promise<{ id: string; secret: string }> {
  return JSON.parse(await run('add', receiver.url, '--json', ...options)) as { id: string; secret: string };
}

describe('webhooks', () => {
  it('are added with the given options, and listed without their secrets', async () => {
    expect(await run('list')).toBe('There are no webhooks yet.');
    const text = await run(
      'add',
      receiver.url,
      '--statuses',
      'confirmed, rejected',
      '--rate',
      '5',
      '--description',
      'W',
    );
    const [, id = '', secret = ''] = /webhook id {2}(whk_\w+)\nsecret {6}(whsec_\S+)/.exec(text) ?? [];
    const list = await run('list', '--json');
    expect(JSON.parse(list)).toMatchObject([
      { id, url: receiver.url, statuses: ['confirmed', 'rejected'], rate_per_second: 5, description: 'W' },
    ]);
    expect(list).not.toContain(secret);
    expect(await run('list')).toBe(`${id}  ${receiver.url}  active, 0 pending, 0 parked`);
  });

  it('are paused, resumed and removed', async () => {
    const { id } = await added();
    expect(await run('pause', id)).toContain('paused');
    expect(await run('resume', id)).toContain('active');
    await expect(run('remove', id)).rejects.toThrow(/Remove webhook whk_\w+\?.* add --yes/);
    expect(await run('remove', id, '--yes')).toBe(`Removed webhook ${id}.`);
    await expect(run('remove', id, '--yes')).rejects.toThrow('There is no webhook of this id.');
  });

  it('are tested, with each of their secrets', async () => {
    const { id, secret } = await added();
    const rotated = JSON.parse(await run('rotate', id, '--json')) as { secret: string };
    receiver.received.length = 0;
    expect(await run('test', id)).toMatch(/^delivered {2}204 after \d+ ms$/);
    const [received] = receiver.received;
    for (const each of [secret, rotated.secret]) expect(received && isSignedWith(each, received)).toBe(true);
    receiver.answering = () => ({ status: 500, body: 'no' });
    expect(await run('test', id)).toMatch(/^failed {2}the receiver answered 500 after \d+ ms\nno$/);
  });

  it.each([
    [['add', 'not an address'], /url: must be an address/],
    [['add', 'http://127.0.0.1:9000', '--secret', 'short'], /secret: must be/],
    [['add', 'http://127.0.0.1:9000', '--statuses', 'shipped'], /statuses/],
    [['pause', 'whk_unknown'], /no webhook of this id/],
    [['test', 'whk_unknown'], /webhook/],
  ])('report the error of %j', async (words, message) => {
    await expect(run(...words)).rejects.toThrow(message);
    await expect(run(...words)).rejects.toThrow(UserError);
  });

  it('show control characters of strangers instead of executing them', async () => {
    const { id } = await added();
    receiver.answering = () => ({ status: 500, body: 'a\nb\u001b[2J' });
    expect(await run('test', id)).toMatch(/ms\na\nb\\u\{1b\}\[2J$/);
    expect(await run('test', id, '--json')).not.toContain('\u001b');
    await api.pool.query(`update webhooks set disabled_reason = E'\\x1b[2J' where id = $1`, [id]);
    expect(await run('list')).toContain('(\\u{1b}[2J)');
    expect(await run('list', '--json')).not.toContain('\u001b');
  });
});

describe('webhooks add and test', () => {
  it('use the settings of the service, not those of the command', async () => {
    vi.stubEnv('WEBHOOK_ALLOW_PRIVATE', 'false');
    const { id } = await added();
    expect(await run('test', id)).toMatch(/^delivered/);
    vi.stubEnv('WEBHOOK_ALLOW_PRIVATE', 'true');
    await expect(run('add', receiver.url, '--url', strict.url)).rejects.toThrow(/url: /);
    expect((await strict.staff.get('webhooks')).body).toEqual({ webhooks: [] });
  });

  it('end with 3 and a sentence if nobody answers', async () => {
    const url = `http://127.0.0.1:${await quietPort()}`;
    vi.stubEnv('PUBLIC_URL', url);
    for (const words of [
      ['add', 'https://shop.example'],
      ['test', 'whk_1'],
    ]) {
      const error = await failure(...words);
      expect(String(error)).toContain(`Willcall does not answer at ${url}: the connection failed: ECONNREFUSED.`);
      expect(exitCodeOf(error)).toBe(3);
    }
  });

  it('say that the token is not that of the service', async () => {
    vi.stubEnv('BACKOFFICE_TOKEN', 'a-token-of-somebody-else');
    await expect(run('add', receiver.url)).rejects.toThrow(/BACKOFFICE_TOKEN/);
    expect(await run('add', receiver.url, '--token', STAFF_TOKEN)).toContain('whsec_');
    vi.stubEnv('BACKOFFICE_TOKEN', '');
    await expect(run('add', receiver.url)).rejects.toThrow(/BACKOFFICE_TOKEN/);
  });
});

describe('the running service', () => {
  it('of an embedded installation is found at its address, with its generated token', () => {
    vi.unstubAllEnvs();
    environment({ DATABASE_URL: '', DATA_DIR: folder, BACKOFFICE_TOKEN: '', PORT: '0' });
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ BACKOFFICE_TOKEN: 'the-token-of-this-demo' }));
    const start = (port: string, given: Record<string, string>) =>
      saveAddresses(parseSettings({ DATA_DIR: folder, ...given }), parseSettings({ DATA_DIR: folder, PORT: port }));
    start('4801', {});
    // Starts of other installations in the same clone.
    const [one, other] = ['postgres://app:secret@db.example/one', 'postgres://app:secret@db.example/other'];
    start('4802', { DATABASE_URL: one });
    start('4803', { DATABASE_URL: other });
    expect(runningService({})).toMatchObject({ url: 'http://127.0.0.1:4801', token: 'the-token-of-this-demo' });
    expect(loadSettings().PUBLIC_URL).toBe('http://127.0.0.1:0');
    expect(lastAddresses(parseSettings({ DATA_DIR: folder, DATABASE_URL: one }))).toMatchObject({ PORT: '4802' });
    expect(readdirSync(folder).join()).not.toContain('secret@');
    environment({ DATABASE_URL: one, DATA_DIR: folder, BACKOFFICE_TOKEN: '', PORT: '0' });
    expect(() => runningService({})).toThrow(/BACKOFFICE_TOKEN/);
  });
});
