import { describe, expect, it } from 'vitest';
import { roleRule, rolesOfClaims } from './openid-roles.js';

const RULES = [
  'groups=tickets-admins:administrator',
  'groups=help desk:support',
  'https://idp.example/claims=a=b:c:auditor',
].map(roleRule);

describe('the roles of claims', () => {
  it.each([
    [{ groups: ['tickets-admins', 'help desk'] }, ['administrator', 'support']],
    [{ groups: 'help desk' }, ['support']],
    [{ groups: 'others tickets-admins' }, ['administrator']],
    [{ groups: ['tickets'], 'https://idp.example/claims': 'a=b:c' }, ['auditor']],
    [{ groups: null, 'https://idp.example/claims': 7 }, []],
    [{ roles: ['tickets-admins'] }, []],
  ])('of %j are %j', (claims, roles) => {
    expect(rolesOfClaims(RULES, claims)).toEqual(roles);
  });

  it('are given to everybody by a rule without a claim', () => {
    expect(rolesOfClaims([...RULES, roleRule('*:viewer')], { groups: ['x'] })).toEqual(['viewer']);
  });
});
