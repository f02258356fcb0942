import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HmacKey } from './hmac.js';

/** RFC 4231, sections 4.2, 4.3, 4.4 and 4.7 (a key that is longer than a block). */
const SHA256 = [
  ['0b'.repeat(20), '4869205468657265', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    '4a656665',
    '7768617420646f2079612077616e7420666f72206e6f7468696e673f',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  ['aa'.repeat(20), 'dd'.repeat(50), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
  [
    'aa'.repeat(131),
    '54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
] as const;

/** RFC 2202, section 3, cases 1 and 2. */
const SHA1 = [
  ['0b'.repeat(20), '4869205468657265', 'b617318655057264e28bc0b6fb378c8ef146be00'],
  ['4a656665', '7768617420646f2079612077616e7420666f72206e6f7468696e673f', 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'],
] as const;

const hex = (text: string) => Buffer.from(text, 'hex');

describe('an HMAC', () => {
  it.each(SHA256)('of SHA-256 is that of RFC 4231 (key %s)', (key, message, expected) => {
    expect(new HmacKey('sha256', hex(key)).digest(hex(message)).toString('hex')).toBe(expected);
  });

  it.each(SHA1)('of SHA-1 is that of RFC 2202 (key %s)', (key, message, expected) => {
    expect(new HmacKey('sha1', hex(key)).digest(hex(message)).toString('hex')).toBe(expected);
  });

  it('is the one that Node makes, of any parts and again', () => {
    const part = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 3_000 }));
    fc.assert(
      fc.property(
        fc.constantFrom('sha1' as const, 'sha256' as const),
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.array(part, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        (algorithm, bytes, messages) => {
          const key = new HmacKey(algorithm, bytes);
          for (const parts of messages) {
            const expected = createHmac(algorithm, bytes);
            for (const one of parts) expected.update(one);
            expect(key.digest(...parts).equals(expected.digest())).toBe(true);
          }
        },
      ),
    );
  });
});
