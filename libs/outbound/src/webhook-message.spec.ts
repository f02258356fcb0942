import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { headersOf } from '#delivery-kit/signed-message';
import { entryMessage, epochHeader, testMessage } from './webhook-message.js';
import { WebhookHeaders, WebhookTest } from './webhook-message.contract.js';

const secrets = [1, 2].map((fill) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`);
const signers = secrets.map((secret) => new Webhook(secret));

describe('a message', () => {
  const json = '{"id":"png_1","position":7}';
  const message = entryMessage({ type: 'order.status', id: 'png_1', occurred_at: '2026-11-21T12:00:00.000Z', json });

  it('has the entry of the feed unchanged, and the time of the status', () => {
    expect(message).toEqual({
      id: 'png_1',
      body: `{"type":"order.status","timestamp":"2026-11-21T12:00:00.000Z","data":${json}}`,
    });
  });

  it('has a signature for each secret, the newest first, and each is valid', () => {
    const headers = headersOf(message, signers, Date.now());
    const signatures = headers['webhook-signature']?.split(' ') ?? [];
    expect(signatures).toHaveLength(2);
    for (const [index, secret] of secrets.entries()) {
      const alone = { ...headers, 'webhook-signature': signatures[index] ?? '' };
      expect(new Webhook(secret).verify(message.body, headers)).toEqual(JSON.parse(message.body));
      expect(new Webhook(secret).verify(message.body, alone)).toEqual(JSON.parse(message.body));
      expect(() => new Webhook(secret).verify(`${message.body} `, headers)).toThrow();
    }
  });

  it('has the headers that the contract names', () => {
    const headers = { ...headersOf(message, signers, Date.now()), ...epochHeader('3f9c0d1e7a42') };
    expect(WebhookHeaders.parse(headers)).toEqual(headers);
    expect(Object.keys(headers).toSorted()).toEqual(Object.keys(WebhookHeaders.shape).toSorted());
  });

  it('keeps its id, and has the time of the attempt', () => {
    const at = Date.parse('2026-11-21T12:34:56.999Z');
    expect(headersOf(message, signers, at)).toMatchObject({
      'webhook-id': 'png_1',
      'webhook-timestamp': `${Math.floor(at / 1_000)}`,
    });
  });

  it('can be a test message', () => {
    const test = JSON.parse(testMessage('tst_1', 'whk_1', '2026-11-21T12:00:00.000Z').body) as { data: unknown };
    expect(test).toMatchObject({
      type: 'webhook.test',
      timestamp: '2026-11-21T12:00:00.000Z',
      data: { webhook_id: 'whk_1' },
    });
    expect(WebhookTest.parse(test.data)).toEqual(test.data);
  });
});
