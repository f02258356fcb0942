import { describe, expect, it } from 'vitest';
import { pingId, pingKey } from './ping-id.js';

const HEX = '019aa6b5c0de7000a000000000000001';

describe('the id of a ping', () => {
  it('is derived from order and sequence, and can be parsed', () => {
    const key = { orderId: `ord_${HEX}`, sequence: 12 };
    expect(pingId(key)).toBe(`png_${HEX}_12`);
    expect(pingKey(`png_${HEX}_12`)).toEqual(key);
  });

  it.each([
    '',
    'png_1',
    `ord_${HEX}_1`,
    `png_${HEX}`,
    `png_${HEX}_`,
    `png_${HEX}_0`,
    `png_${HEX}_01`,
    `png_${HEX}_-1`,
    `png_${HEX}_1x`,
    `png_${HEX.toUpperCase()}_1`,
    `png_${HEX}_9999999999`,
    `png_${HEX}_1\n`,
  ])('is not %j', (text) => {
    expect(pingKey(text)).toBeUndefined();
  });
});
