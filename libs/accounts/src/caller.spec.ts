import { expect, it } from 'vitest';
import { PERMISSIONS } from './permission.contract.js';
import { readsPersonalData } from './caller.js';

it('shows personal data in clear only to tokens that may reveal it', () => {
  const caller = { actor: 'x', sellers: null, permissions: PERMISSIONS };
  expect(readsPersonalData({ ...caller, kind: 'token' })).toBe(true);
  expect(readsPersonalData({ ...caller, kind: 'operator' })).toBe(false);
  expect(readsPersonalData({ ...caller, kind: 'token', permissions: ['orders:read'] })).toBe(false);
});
