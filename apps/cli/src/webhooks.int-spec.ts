import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SystemClock } from '#ambient/clock';
import { TimeOrderedIds } from '#ambient/ids';
import { AddressGuard } from '#webhooks/address-guard';
import { Signers } from '#webhooks/endpoint';
import { WebhookSender } from '#webhooks/webhook-sender';
import { WebhookTrials } from '#webhooks/webhook-trial';
import { isSignedWith, type WebhookDouble } from '../../../test/support/webhook-double.js';
import { createWebhookStand, type WebhookStand } from '../../../test/support/webhook-stand.js';
import { UserFault } from './user-fault.js';
import { webhooksCommand } from './webhooks.js';

let stand: WebhookStand;
let receiver: WebhookDouble;
let sender: WebhookSender;
const printed = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  const clock = new SystemClock();
  stand = await createWebhookStand(clock);
  ({ receiver } = stand);
  sender = new WebhookSender(new AddressGuard(true), clock, { timeoutMs: 5_000, connections: 1 });
});
afterAll(async () => {
  await sender.close();
  await stand.stop();
});
beforeEach(() => {
  printed.mockClear();
});

/** What the command printed. */
async function run(...words: string[]): Promise<string> {
  printed.mockClear();
  const { webhooks, pool, sealer } = stand;
  const trials = new WebhookTrials(pool, new Signers(sealer), sender, new SystemClock(), new TimeOrderedIds());
  const command = webhooksCommand((work) => work({ webhooks, trials }));
  for (const each of [command, ...command.commands]) each.exitOverride().configureOutput({ writeErr: () => undefined });
  await command.parseAsync(words, { from: 'user' });
  return printed.mock.calls.map(([line]) => String(line)).join('\n');
}

async function added(...options: string[]): Promise<{ id: string; secret: string }> {
  return JSON.parse(await run('add', receiver.url, '--json', ...options)) as { id: string; secret: string };
}

describe('webhooks', () => {
  it('are added with what they were told, and listed without their secrets', async () => {
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
    expect(await run('remove', id)).toBe(`Removed webhook ${id}.`);
    await expect(run('remove', id)).rejects.toThrow(UserFault);
  });

  it('are tried out, with each of their secrets', async () => {
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
    [['add', 'not an address'], /url must be an address/],
    [['add', 'http://127.0.0.1:9000', '--secret', 'short'], /secret must be/],
    [['add', 'http://127.0.0.1:9000', '--statuses', 'shipped'], /statuses/],
    [['pause', 'whk_unknown'], /no webhook of this id/],
    [['test', 'whk_unknown'], /no webhook of this id/],
  ])('say what is wrong with %j', async (words, message) => {
    await expect(run(...words)).rejects.toThrow(message);
    await expect(run(...words)).rejects.toThrow(UserFault);
  });
});
