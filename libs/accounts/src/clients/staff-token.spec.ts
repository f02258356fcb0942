import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { StaffToken } from './staff-token.js';

const TOKEN = 'wc_staff-0123456789';

describe('the staff token', () => {
  const door = new StaffToken({ BACKOFFICE_TOKEN: TOKEN });

  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN}`])('admits %s', (header) => {
    expect(door.admits(header)).toBe(true);
  });

  it.each([
    undefined,
    '',
    TOKEN,
    'Bearer',
    'Bearer ',
    `Bearer${TOKEN}`,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    ` Bearer ${TOKEN}`,
  ])('rejects %j', (header) => {
    expect(door.admits(header)).toBe(false);
  });

  it('is compared by its received bytes', () => {
    const received = Buffer.from('Bearer schlüssel').toString('latin1');
    expect(new StaffToken({ BACKOFFICE_TOKEN: 'schlüssel' }).admits(received)).toBe(true);
  });

  it.each([undefined, ''])('admits nobody when the setting is %j', (unset) => {
    const closed = new StaffToken({ BACKOFFICE_TOKEN: unset });
    for (const header of [undefined, '', 'Bearer ', 'Bearer undefined', 'Bearer null']) {
      expect(closed.admits(header)).toBe(false);
    }
  });

  it('is not revealed', () => {
    expect(inspect(door, { showHidden: true, depth: 9 }) + JSON.stringify(door)).not.toContain(TOKEN);
  });
});
