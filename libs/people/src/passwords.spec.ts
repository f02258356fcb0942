import { expect, it } from 'vitest';
import { Passwords, PasswordsBusy } from './passwords.js';

it('queues so many hashes and no more, and goes on once they are done', async () => {
  const passwords = new Passwords();
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
