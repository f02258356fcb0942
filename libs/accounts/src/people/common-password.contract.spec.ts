import { expect, it } from 'vitest';
import { isCommonPassword } from './common-password.contract.js';

it.each([
  'password1',
  'PASSWORD1234',
  'Password2026!',
  '!!administrator!!',
  'qwertyuiop',
  '123456789012',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  '\uFF50assword1',
])('%s is tried first', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

it.each(['correct horse battery', 'a long sentence is good', 'the first password', 'Xk3-fds9!-qq', 'ünïcödé-w0rds'])(
  '%s is not',
  (password) => {
    expect(isCommonPassword(password)).toBe(false);
  },
);
