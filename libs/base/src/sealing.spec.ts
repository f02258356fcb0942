import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SystemRandomness } from './randomness.js';
import { UnsealError, Sealer } from './sealing.js';

const randomness = new SystemRandomness();
const master = randomBytes(32);
const sealer = new Sealer(master, randomness);
const stranger = new Sealer(randomBytes(32), randomness);
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

function flipped(value: Buffer, at: number): Buffer {
  const changed = Buffer.from(value);
  const bit = at % (changed.length * 8);
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return changed;
}

describe('seal and open', () => {
  it('return the plaintext, after a restart too', () => {
    fc.assert(
      fc.property(bytes, fc.string(), (plaintext, place) => {
        const sealed = sealer.seal('client-secret', place, plaintext);
        expect(new Sealer(master, randomness).open('client-secret', place, sealed)).toEqual(plaintext);
        expect(sealed.length).toBe(29 + plaintext.length);
      }),
    );
  });

  it('reject a value with a flipped bit, or one that was cut short', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (plaintext, at) => {
        const sealed = sealer.seal('client-secret', 'here', plaintext);
        expect(() => sealer.open('client-secret', 'here', flipped(sealed, at))).toThrow(UnsealError);
        expect(() => sealer.open('client-secret', 'here', sealed.subarray(0, at % sealed.length))).toThrow(UnsealError);
      }),
      { numRuns: 500 },
    );
  });

  it('reject a value of another context, purpose or key', () => {
    const sealed = sealer.seal('client-secret', 'here', Buffer.from('secret'));
    expect(() => sealer.open('client-secret', 'there', sealed)).toThrow(UnsealError);
    expect(() => sealer.open('personal-data', 'here', sealed)).toThrow(UnsealError);
    expect(() => stranger.open('client-secret', 'here', sealed)).toThrow(UnsealError);
  });

  it('reject an unknown version', () => {
    const sealed = sealer.seal('client-secret', 'here', Buffer.from('secret'));
    expect(sealed[0]).toBe(1);
    sealed[0] = 2;
    expect(() => sealer.open('client-secret', 'here', sealed)).toThrow(UnsealError);
  });

  it('never seal the same text to the same bytes', () => {
    const all = Array.from({ length: 100 }, () =>
      sealer.seal('client-secret', 'here', Buffer.from('x')).toString('hex'),
    );
    expect(new Set(all).size).toBe(100);
  });
});

describe('digest', () => {
  it('is the same for the same text, and different for another text, purpose or key', () => {
    const of = (by: Sealer, text: string) => by.digest('buyer-email', text).toString('hex');
    expect(of(new Sealer(master, randomness), 'a')).toBe(of(sealer, 'a'));
    const others = [of(sealer, 'b'), of(stranger, 'a'), sealer.digest('client-secret', 'a').toString('hex')];
    expect(new Set([of(sealer, 'a'), ...others]).size).toBe(4);
  });

  it('finds an e-mail address in any spelling', () => {
    const digest = sealer.emailDigest('josé@example.com');
    expect(digest.length).toBe(32);
    expect(sealer.emailDigest(' Jose\u0301@Example.COM ')).toEqual(digest);
    expect(sealer.emailDigest('jose@example.com')).not.toEqual(digest);
  });
});

describe('personal data', () => {
  const orderKey = randomBytes(32);
  const buyer = { email: 'ann@example.com', name: 'Ann Ünïcode' };
  const sealed = sealer.sealPersonal('ord_1', orderKey, buyer);

  it('opens with both keys', () => {
    expect(new Sealer(master, randomness).openPersonal('ord_1', orderKey, sealed)).toEqual(buyer);
    expect(sealed.includes('ann@')).toBe(false);
  });

  it('does not open with one key alone, or as another order', () => {
    expect(() => sealer.openPersonal('ord_1', randomBytes(32), sealed)).toThrow(UnsealError);
    expect(() => stranger.openPersonal('ord_1', orderKey, sealed)).toThrow(UnsealError);
    expect(() => new Sealer(orderKey, randomness).open('personal-data', 'orders/ord_1/personal', sealed)).toThrow();
    expect(() => sealer.open('personal-data', 'orders/ord_1/personal', sealed)).toThrow(UnsealError);
    expect(() => sealer.openPersonal('ord_2', orderKey, sealed)).toThrow(UnsealError);
  });
});

/** Made by the first release (ENCRYPTION_KEY of 32 times 7, order key of 32 times 9): databases hold such values. */
describe('a value of an earlier release', () => {
  const earlier = new Sealer(Buffer.alloc(32, 7), randomness);
  const read = (text: string) => Buffer.from(text, 'base64');

  it('still opens', () => {
    const secret = read('Aa4RCKPUn/vBhqzWux1r1OcAfnDkfAlk3QTBjZCcE2my');
    expect(earlier.open('client-secret', 'here', secret).toString()).toBe('kept');
    const personal = read('ATEmdcNeaSEOwXQLI1ndawpkdOHcYGMwTRhc5E/GPuW9VtsSvAYWJOuw93okWBl9CVO8osUNm/4=');
    expect(earlier.openPersonal('ord_1', Buffer.alloc(32, 9), personal)).toEqual({ email: 'ann@example.com' });
  });

  it('is still found', () => {
    expect(earlier.emailDigest('ann@example.com')).toEqual(read('FwUtnlXCNsEH8K2AAjrWfXwjFBa/drXOo7lG2iGRaNc='));
  });
});

describe('a sealer', () => {
  it('accepts only keys of 32 bytes', () => {
    for (const length of [0, 16, 31, 33]) {
      expect(() => new Sealer(Buffer.alloc(length), randomness)).toThrow('32 bytes');
      expect(() => sealer.sealPersonal('ord_1', Buffer.alloc(length), {})).toThrow(UnsealError);
    }
  });

  it('does not reveal its keys', () => {
    const shown = inspect(sealer, { depth: 9, showHidden: true }) + JSON.stringify(sealer);
    expect(shown).not.toContain(master.toString('hex').slice(0, 8));
    expect(shown).not.toContain(inspect(master).slice(8, 30));
  });
});

describe('a change of the key', () => {
  const next = randomBytes(32);
  const changing = new Sealer(next, randomness, [master]);
  const prepared = new Sealer(master, randomness, [next]);
  const alone = new Sealer(next, randomness);
  const secret = Buffer.from('secret');

  it('opens what either key has sealed, and seals with the new one and its id', () => {
    const old = sealer.seal('client-secret', 'here', secret);
    const fresh = changing.seal('client-secret', 'here', secret);
    for (const one of [changing, prepared]) {
      expect(one.open('client-secret', 'here', old)).toEqual(secret);
      expect(one.open('client-secret', 'here', fresh)).toEqual(secret);
      expect(() => one.open('client-secret', 'there', fresh)).toThrow(UnsealError);
    }
    expect(fresh.subarray(0, 5)).toEqual(changing.header);
    expect(alone.open('client-secret', 'here', fresh)).toEqual(secret);
    expect(() => sealer.open('client-secret', 'here', fresh)).toThrow(UnsealError);
    const relabelled = Buffer.concat([Buffer.of(2), prepared.keyId, fresh.subarray(5)]);
    expect(() => changing.open('client-secret', 'here', relabelled)).toThrow(UnsealError);
  });

  it('seals a value anew, once', () => {
    const old = sealer.seal('webhook-secret', 'here', secret);
    const resealed = changing.resealed('webhook-secret', 'here', old);
    expect(resealed && alone.open('webhook-secret', 'here', resealed)).toEqual(secret);
    expect(resealed && changing.resealed('webhook-secret', 'here', resealed)).toBeUndefined();
    expect(() =>
      changing.resealed('webhook-secret', 'here', stranger.seal('webhook-secret', 'here', secret)),
    ).toThrow();
  });

  it('needs the earlier key for no order any more, and what orders have sealed stays', () => {
    const key = sealer.newOrderKey();
    const buyer = { user: { email: 'ann@example.com' } };
    const personal = sealer.sealPersonal('ord_1', key, buyer);
    const resealed = changing.resealedOrderKey('ord_1', key, personal) ?? expect.fail('it was not resealed');
    for (const one of [alone, changing, prepared]) expect(one.openPersonal('ord_1', resealed, personal)).toEqual(buyer);
    expect(() => sealer.openPersonal('ord_1', resealed, personal)).toThrow(UnsealError);
    expect(() => alone.openPersonal('ord_2', resealed, personal)).toThrow(UnsealError);
    expect(changing.resealedOrderKey('ord_1', resealed, personal)).toBeUndefined();
    // What somebody seals with the key as it was before opens with the resealed one.
    const note = changing.sealNote('ord_1', 'n', key, 'a note', personal);
    expect(alone.openNote('ord_1', 'n', resealed, note)).toBe('a note');
  });

  it('of the order keys made meanwhile or by a rollback loses nothing', () => {
    for (const by of [sealer, changing, prepared, alone]) {
      for (const key of [by.newOrderKey(), by.newNamedOrderKey()]) {
        const personal = by.sealPersonal('ord_1', key, { by: 1 });
        const [there, back] = [changing, prepared].map((one) => one.resealedOrderKey('ord_1', key, personal) ?? key);
        expect([alone.openPersonal('ord_1', there!, personal), sealer.openPersonal('ord_1', back!, personal)]).toEqual([
          { by: 1 },
          { by: 1 },
        ]);
        const note = prepared.sealNote('ord_1', 'n', key, 'x', personal);
        expect(changing.openNote('ord_1', 'n', key, note)).toBe('x');
      }
    }
  });

  it('stores an order key with the digests that a process makes, so that they are noticed', () => {
    const key = sealer.newOrderKey();
    const personal = sealer.sealPersonal('ord_1', key, { a: 1 });
    expect(sealer.orderKeyForDigests('ord_1', key, personal)).toBeUndefined();
    const resealed = changing.resealedOrderKey('ord_1', key, personal)!;
    const back = prepared.orderKeyForDigests('ord_1', resealed, personal)!;
    expect(changing.resealedOrderKey('ord_1', back, personal)).toBeDefined();
    expect(changing.orderKeyForDigests('ord_1', resealed, personal)).toEqual(resealed);
  });

  it('does not guess which key an order key belongs to', () => {
    expect(() => changing.sealNote('ord_1', 'n', sealer.newOrderKey(), 'x')).toThrow(UnsealError);
  });
});
