import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { entryAt } from '../../../test/support/ping-stream/simulated-stream.js';
import { isOrderStatus, verifyWebhook, WebhookVerificationError, type WebhookRequest } from './webhooks.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`;
const SECRET = secretOf(randomBytes(32));
const OLD_SECRET = secretOf(randomBytes(24));
const event = { type: 'order.status', timestamp: '2026-11-21T12:00:00.000Z', data: entryAt(7) };

/** Signed by the library of the standard. */
function webhook(body = JSON.stringify(event), at = NOW, secret = SECRET, id = 'png_1_7') {
  const headers: Record<string, string> = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
  };
  return { headers, body };
}

const verified = (request: WebhookRequest, secrets = [SECRET]) => verifyWebhook(request, { secrets, now: () => NOW });

describe('a webhook', () => {
  it('returns the event, with the id of all its attempts', () => {
    const got = verified(webhook());
    expect(got).toEqual({ ...event, id: 'png_1_7' });
    expect(isOrderStatus(got) && got.data.position).toBe(7);
    expect(isOrderStatus(verified(webhook(JSON.stringify({ ...event, type: 'endpoint.disabled' }))))).toBe(false);
    expect(isOrderStatus(verified(webhook(JSON.stringify({ ...event, data: {} }))))).toBe(false);
  });

  it('agrees with the library of the standard, for any body and any key', () => {
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
    fc.assert(
      fc.property(key, fc.json(), fc.stringMatching(/^\w{1,30}$/), (bytes, data, id) => {
        const body = `{"type":"x","timestamp":"t","data":${data}}`;
        const now = Date.now();
        const request = webhook(body, now, secretOf(bytes), id);
        const theirs = new Webhook(secretOf(bytes)).verify(body, request.headers);
        const { id: ours, ...rest } = verifyWebhook(
          { ...request, body: Buffer.from(body) },
          { secrets: [secretOf(bytes)] },
        );
        expect(ours).toBe(id);
        expect(JSON.stringify(rest)).toBe(JSON.stringify(theirs));
      }),
    );
  });

  it('is rejected if a bit of body, id, time or signature is different', () => {
    const parts = ['body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...parts), fc.nat(), fc.nat(7), (part, at, bit) => {
        const { headers, body } = webhook();
        const bytes = Buffer.from(part === 'body' ? body : (headers[part] ?? ''), 'latin1');
        bytes.writeUInt8((bytes[at % bytes.length] ?? 0) ^ (1 << bit), at % bytes.length);
        const request =
          part === 'body'
            ? { headers, body: bytes }
            : { headers: { ...headers, [part]: bytes.toString('latin1') }, body };
        expect(() => verified(request)).toThrow(WebhookVerificationError);
      }),
      { numRuns: 1_000 },
    );
  });

  it('may be signed with either secret during a rotation', () => {
    const both = webhook();
    both.headers['webhook-signature'] +=
      ` ${webhook(both.body, NOW, OLD_SECRET).headers['webhook-signature']} v1a,unknown`;
    for (const secrets of [[SECRET], [OLD_SECRET], [OLD_SECRET, SECRET]])
      expect(verified(both, secrets).id).toBe('png_1_7');
    expect(verified(webhook(), [OLD_SECRET, SECRET]).id).toBe('png_1_7');
    expect(() => verified(webhook(), [OLD_SECRET])).toThrow('wrong signature');
    expect(() => verified(webhook(), [])).toThrow('wrong signature');
  });

  it.each([
    [5 * 60_000, undefined],
    [5 * 60_000 + 1_000, 'too new'],
    [-5 * 60_000, undefined],
    [-5 * 60_000 - 1_000, 'too old'],
  ] as const)('that was signed %i ms from now is %s', (off, reason) => {
    const verify = () => verified(webhook(undefined, NOW + off));
    if (reason) expect(verify).toThrow(new WebhookVerificationError(reason));
    else expect(verify().type).toBe('order.status');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('is refused without %s, or with two', (name) => {
    const { headers, body } = webhook();
    const { [name]: value = '', ...others } = headers;
    expect(() => verified({ headers: others, body })).toThrow('missing or repeated header');
    expect(() => verified({ headers: { ...headers, [name]: [value, value] }, body })).toThrow(
      'missing or repeated header',
    );
    expect(() => verified({ headers: { ...headers, [name]: '' }, body })).toThrow('missing or repeated header');
  });

  it.each(['1e9', '12.5', '0x5', ' 1', '1790000000abc'])('is refused with the time %j', (time) => {
    const { headers, body } = webhook();
    expect(() => verified({ headers: { ...headers, 'webhook-timestamp': time }, body })).toThrow('header');
  });

  it.each(['', 'null', '[]', '{"type":1}', '{'])('with the body %j is no event, also when it is signed', (body) => {
    expect(() => verified(webhook(body))).toThrow('no event');
  });

  it('is not verified with an invalid secret', () => {
    for (const secret of ['', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${'*'.repeat(40)}`, 'undefined']) {
      expect(() => verified(webhook(), [secret]), secret).toThrow(TypeError);
    }
  });
});
