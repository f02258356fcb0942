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

  const nested = [
    'realm_access.roles=desk:support',
    'resource_access.tickets.example.roles=admin:administrator',
    'https://acme.example/roles=audit:auditor',
    'https://acme.example/app.roles=view:viewer',
    'constructor.name=Object:administrator',
  ].map(roleRule);

  it.each([
    [{ realm_access: { roles: ['desk', 'other'] } }, ['support']],
    [{ 'realm_access.roles': 'desk' }, ['support']],
    [{ 'realm_access.roles': [], realm_access: { roles: ['desk'] } }, []],
    [{ resource_access: { 'tickets.example': { roles: ['admin'] }, tickets: { example: null } } }, ['administrator']],
    [{ resource_access: { tickets: { example: { roles: 'admin' } } } }, ['administrator']],
    [{ 'https://acme.example/roles': ['audit'] }, ['auditor']],
    [{ 'https://acme.example/app': { roles: ['view'] } }, ['viewer']],
    [{ roles: ['desk'], realm_access: ['roles', 'desk'], resource_access: 'admin' }, []],
    [{ realm_access: { roles: { desk: true } }, 'https://acme': { 'example/roles': 'audit' } }, ['auditor']],
    [{ realm_access: null }, []],
  ])('are found within other claims, and by names with dots: of %j are %j', (claims, roles) => {
    expect(rolesOfClaims(nested, claims)).toEqual(roles);
  });

  it('are given to everybody by a rule without a claim', () => {
    expect(rolesOfClaims([...RULES, roleRule('*:viewer')], { groups: ['x'] })).toEqual(['viewer']);
  });
});
