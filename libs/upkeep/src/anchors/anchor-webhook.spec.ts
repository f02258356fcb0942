import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { withAnchorReceiver } from '../../../../test/support/orders/anchor-receiver.js';
import { anchorOf } from '#event-store/anchor-document';
import { AnchorWebhook } from './anchor-webhook.js';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const webhookAt = (url: string) => new AnchorWebhook({ url, secret, clock: new SystemClock() });

const anchor = {
  position: 7,
  head: Buffer.alloc(32, 1),
  audit: { position: 3, hash: Buffer.alloc(32, 2) },
  at: '2026-03-01T12:00:00.000Z',
  mac: Buffer.alloc(37, 3),
};

describe('AnchorWebhook', () => {
  it('posts each anchor as a signed webhook, from which the anchor can be read again', async () => {
    await withAnchorReceiver(204, async (url, received) => {
      await webhookAt(url).append(anchor);
      await webhookAt(url).append({ ...anchor, mac: Buffer.alloc(37, 4) });
      const [first, second] = received;
      if (!first || !second) throw new Error('not received');
      expect(new Webhook(secret).verify(first.body, first.headers as Record<string, string>)).toMatchObject({
        type: 'ledger.anchor',
        timestamp: anchor.at,
        data: { position: 7, audit_position: 3, at: anchor.at },
      });
      expect(anchorOf(first.body)).toEqual(anchor);
      expect(second.headers['webhook-id']).not.toBe(first.headers['webhook-id']);
    });
  });

  it.each([302, 410, 500])('reports an answer %d, and nothing of what it says', async (status) => {
    await withAnchorReceiver(status, async (url) => {
      await expect(webhookAt(url).append(anchor)).rejects.toThrow(/^LEDGER_ANCHOR_URL: the receiver answered \d+$/);
    });
  });

  it('reports a connection that fails without the address, which may contain a credential', async () => {
    await expect(webhookAt('http://user:canary@127.0.0.1:1/').append(anchor)).rejects.toThrow(
      /^LEDGER_ANCHOR_URL: the connection failed: \w+$/,
    );
  });
});
