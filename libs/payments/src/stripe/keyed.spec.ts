import { beforeEach, expect, it } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { underKey } from './keyed.js';
import { StripeFault } from './stripe-fault.js';

const KEY = 'ord_1-refund-1';
const NO_CLUES = { type: undefined, code: undefined, declineCode: undefined, param: undefined, connection: undefined };

let clock: FixedClock;
let keys: string[];

beforeEach(() => {
  clock = new FixedClock();
  keys = [];
});

const failure = (status: number, replayOf?: string) => new StripeFault('refund', { ...NO_CLUES, status, replayOf });

/** One caller. Each key fails as told, the others succeed. */
function call(failures: Readonly<Record<string, StripeFault>>): Promise<string> {
  return underKey(clock, {
    key: KEY,
    act: async (key) => {
      keys.push(key);
      if (failures[key]) throw failures[key];
      return key;
    },
    look: async () => undefined,
    isPassing: ({ clues }) => clues.status === 402,
  });
}

it('goes on under the key of the failure that Stripe kept, so that callers of different minutes have the same one', async () => {
  const kept = { [KEY]: failure(500, 'req_1'), [`${KEY}-req_1`]: failure(500, 'req_2') };
  const first = await call(kept);
  clock.advance(60_000);
  expect([first, await call(kept)]).toEqual([`${KEY}-req_2`, `${KEY}-req_2`]);
});

it('stays with a key whose failure is not a repeated one', async () => {
  const once = { [KEY]: failure(500, 'req_1'), [`${KEY}-req_1`]: failure(500) };
  await expect(call(once)).rejects.toThrow('refund failed (500)');
  expect(keys).toEqual([KEY, `${KEY}-req_1`, `${KEY}-req_1`]);
});

it('has a key a minute after refusals that pass', async () => {
  const minute = Math.floor(clock.now() / 60_000);
  const none = { [KEY]: failure(402, 'req_1'), [`${KEY}-${minute}`]: failure(402) };
  await expect(call(none)).rejects.toThrow('refund failed (402)');
  clock.advance(60_000);
  expect(await call(none)).toBe(`${KEY}-${minute + 1}`);
});
