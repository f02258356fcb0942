import { expect, it } from 'vitest';
import { ROLES } from '#accounts/permission.contract';
import { parseSettings } from './load-settings.js';

it('REQUIRE_TOTP takes every role', () => {
  expect(parseSettings({ REQUIRE_TOTP: ROLES.join(', ') }).REQUIRE_TOTP).toEqual(ROLES);
});

it('OIDC_ROLES takes every role', () => {
  const rules = ROLES.map((role) => `groups=staff:${role}`);
  expect(parseSettings({ OIDC_ROLES: rules.join(',') }).OIDC_ROLES).toEqual(rules);
});
