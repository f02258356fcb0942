import { describe, expect, it } from 'vitest';
import { ScriptedRandomness } from '../../../test/support/fixed-clock.js';
import { bearerTokenIn, hasDigest, newToken, tokenDigest } from './token.js';

describe('a token', () => {
  it('is the prefix and 32 random bytes in hex', () => {
    expect(newToken(new ScriptedRandomness(), 'wst_')).toMatch(/^wst_000102[0-9a-f]{58}$/);
    expect(newToken(new ScriptedRandomness())).toHaveLength(64);
  });

  it('has the digest of its own text and of no other', () => {
    // FIPS 180-2, appendix B.1.
    expect(tokenDigest('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hasDigest('abc', tokenDigest('abc'))).toBe(true);
    expect(hasDigest(Buffer.from('abc'), tokenDigest('abc'))).toBe(true);
    expect(hasDigest('abd', tokenDigest('abc'))).toBe(false);
    expect(hasDigest('a much longer text than the other', tokenDigest('abc'))).toBe(false);
  });

  it('is what follows Bearer in the header', () => {
    expect(['Bearer a', 'bearer  a', 'BEARER a'].map(bearerTokenIn)).toEqual(['a', 'a', 'a']);
    expect([undefined, '', 'a', 'Bearer', 'Bearer ', 'Basic a', 'Bearer a b'].map(bearerTokenIn)).toEqual(
      Array(7).fill(undefined),
    );
  });
});
