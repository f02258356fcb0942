import { beforeEach, expect, it } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { TokenGuesses } from './token-guesses.js';

let clock: FixedClock;
let guesses: TokenGuesses;
let looked: string[];
beforeEach(() => {
  clock = new FixedClock();
  guesses = new TokenGuesses(clock);
  looked = [];
});

/** The token that was found; undefined for a wrong one; 429. */
async function guess(token: string, ip = '203.0.113.9', right: readonly string[] = ['right']) {
  const find = async () => {
    looked.push(token);
    return right.includes(token) ? token : undefined;
  };
  return await guesses.checked(token, ip, find).catch((error: { status: number }) => error.status);
}
const guessMany = (count: number) => Promise.all(Array.from({ length: count }, (_, at) => guess(`wrong ${at}`)));

it('wrong tokens of an address are refused after 200, and are not looked at', async () => {
  const answers = await guessMany(400);
  expect([answers.filter((answer) => answer === 429).length, looked.length]).toEqual([200, 200]);
  expect(await guess('right')).toBe(429);
  expect(await guess('right', '203.0.113.10')).toBe('right');
  clock.advance(2_000);
  expect([await guess('wrong'), await guess('wrong')]).toEqual([undefined, 429]);
});

it('an IPv6 network of one client counts as one address', async () => {
  for (let at = 0; at < 200; at += 1) await guess('wrong', `2001:db8::${at.toString(16)}`);
  expect(await guess('wrong', '2001:db8::ffff')).toBe(429);
  expect(await guess('wrong', '2001:db8:0:1::1')).toBeUndefined();
});

it('a token that was right before is let in, as long as it is right', async () => {
  expect(await guess('right')).toBe('right');
  await guessMany(400);
  expect(await guess('right')).toBe('right');
  expect([await guess('right', undefined, []), await guess('right', undefined, [])]).toEqual([undefined, 429]);
});
