import { expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { Passwords, PasswordsBusy, PasswordTooShort } from './passwords.js';

it('queues so many hashes and no more, and goes on once they are done', async () => {
  const passwords = new Passwords(parseSettings({}));
  const tries = Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0 ? passwords.hash('a long sentence') : passwords.matches('a long sentence', undefined),
  );
  const settled = await Promise.allSettled(tries);
  const reasons = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  expect(reasons.every((reason) => reason instanceof PasswordsBusy)).toBe(true);
  // Two run and 32 wait.
  expect(reasons).toHaveLength(60 - 34);
  expect(await passwords.matches('a long sentence', await passwords.hash('a long sentence'))).toBe(true);
});

it.each([
  [{}, 'eleven char', 'twelve chars'],
  [{ PASSWORD_MIN_LENGTH: '16' }, 'fifteen charact', 'sixteen characte'],
  // Two code units each.
  [{}, '🎫'.repeat(11), '🎫'.repeat(12)],
])('takes no new password shorter than the setting says, of %j', async (environment, short, long) => {
  const passwords = new Passwords(parseSettings(environment));
  await expect(passwords.hash(short)).rejects.toThrow(PasswordTooShort);
  const stored = await passwords.hash(long);
  expect(await passwords.matches(long, stored)).toBe(true);
  // One that is in use already goes on working.
  expect(await passwords.matches(short, stored)).toBe(false);
});
