import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hmac } from './hmac.js';

describe('hmac', () => {
  it.each(['sha1', 'sha256'] as const)("is Node's own for every key and message, by %s", (algorithm) => {
    const key = fc.uint8Array({ maxLength: 200 });
    const message = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(key, message, (k, m) => {
        expect(hmac(algorithm, k, m)).toEqual(createHmac(algorithm, k).update(m).digest());
      }),
    );
  });
});
