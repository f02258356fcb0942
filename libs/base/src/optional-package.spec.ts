import { expect, it } from 'vitest';
import { loadOptional } from './optional-package.js';

const wanted = { neededBy: 'The payment provider stripe', name: 'stripe', install: 'stripe@23' };
const failing = (fields: object) => () => Promise.reject(Object.assign(new Error('Cannot load it.'), fields));

it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])(
  'names a missing package and how to install it (%s)',
  async (code) => {
    await expect(loadOptional(wanted, failing({ code }))).rejects.toThrow(
      'The payment provider stripe needs the package "stripe": npm install stripe@23',
    );
  },
);

it('does not hide why a package that is there does not load', async () => {
  await expect(loadOptional(wanted, failing({ code: 'ERR_DLOPEN_FAILED' }))).rejects.toThrow('Cannot load it.');
});

it('gives what it loads', async () => {
  expect(await loadOptional(wanted, () => Promise.resolve(7))).toBe(7);
});
