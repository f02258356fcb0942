import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { S3Double } from '../../../../test/support/s3-double.js';
import { createWebhookStand, RETRY, type WebhookStand } from '../../../../test/support/webhooks/webhook-stand.js';

const clock = new FixedClock(new Date().toISOString());
let stand: WebhookStand;
let s3: S3Double;
beforeAll(async () => {
  [stand, s3] = await Promise.all([createWebhookStand(clock), S3Double.start()]);
});
afterAll(async () => {
  s3.stop();
  await stand.stop();
});

type Line = Readonly<{ type: string; data: Readonly<{ id: string; position: number; order_id: string }> }>;

const linesOf = (object: Readonly<{ content: Buffer }>) =>
  object.content
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const worker = (breaks: Parameters<WebhookStand['worker']>[0] = {}) =>
  stand.worker({ s3: s3.settings, timeoutMs: 1_000, ...breaks }).delivery;

it('gets files of JSON lines: what is due together, and an order in its order', async () => {
  const webhook = await stand.create('s3://pings/willcall');
  expect(webhook.kind).toBe('s3');
  const orders = stand.orders(30);
  await stand.addEntries(...orders, ...orders);
  await worker().drain(webhook.id);
  expect(await stand.statesOf(webhook)).toEqual(Array.from({ length: 60 }, () => 'delivered'));
  const files = s3.objects.map(linesOf);
  expect(files.map((lines) => lines.length)).toEqual([30, 30]);
  const first = String(webhook.position + 1).padStart(15, '0');
  expect(s3.objects[0]?.key).toMatch(new RegExp(`^willcall/${first}-\\d{15}-[0-9a-f]{16}\\.jsonl$`));
  const positions = files.flat().map(({ data }) => data.position - webhook.position);
  expect(positions).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
});

it('gets the same file again if the process dies before it records the deliveries', async () => {
  s3.objects.length = 0;
  const webhook = await stand.create('s3://pings/again');
  await stand.addEntries(...stand.orders(5));
  const dying = worker({ breaks: [{ statement: 'webhook-attempts-record', lost: 'request' }] });
  await expect(dying.drain(webhook.id)).rejects.toThrow('Connection terminated');
  const [before, ...none] = s3.objects.map(({ key, content }) => [key, content.toString()]);
  expect(none).toEqual([]);
  await worker().drain(webhook.id);
  expect(s3.objects.map(({ key, content }) => [key, content.toString()])).toEqual([before]);
  expect(await stand.statesOf(webhook)).toEqual(Array.from({ length: 5 }, () => 'delivered'));
});

it('gets everything after a failure of the service', async () => {
  s3.objects.length = 0;
  const webhook = await stand.create('s3://pings/later');
  const orders = stand.orders(3);
  await stand.addEntries(...orders, ...orders);
  s3.failures.push(...Array.from({ length: 20 }, () => 403));
  await worker().drain(webhook.id);
  expect(s3.objects).toEqual([]);
  s3.failures.length = 0;
  clock.advance(RETRY.maxMs);
  await worker().drain(webhook.id);
  clock.advance(RETRY.maxMs);
  await worker().drain(webhook.id);
  const ids = s3.objects.flatMap(linesOf).map(({ data }) => data.id);
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
});
