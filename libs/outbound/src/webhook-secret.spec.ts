import { describe, expect, it } from 'vitest';
import { SystemRandomness } from '#base/randomness';
import { generateSecret, checkSecret } from './webhook-secret.js';

const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 200).toString('base64')}`;

describe('a secret', () => {
  it('that is generated is valid, and different each time', () => {
    const generated = generateSecret(new SystemRandomness());
    expect(checkSecret(generated)).toBeUndefined();
    expect(generateSecret(new SystemRandomness())).not.toBe(generated);
  });

  it.each([24, 32, 64])('may have %i bytes', (bytes) => expect(checkSecret(of(bytes))).toBeUndefined());

  it.each([
    of(23),
    of(65),
    of(0),
    'whsec_',
    '',
    'short',
    of(32).slice(6),
    `${of(32)}=`,
    `${of(32)} `,
    of(32).replace('yM', '-_'),
  ])('is not %j', (secret) => expect(checkSecret(secret)).toBe('must be whsec_ and the base64 of 24 to 64 bytes'));
});
