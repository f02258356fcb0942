import type { Role } from '#contracts/backoffice/permission';

/** Somebody whose claim has this value, or contains it, gets the role. Without a claim everybody gets it. */
export type RoleRule = Readonly<{ claim: string; value: string; role: Role }> | Readonly<{ claim: null; role: Role }>;

/** Parses a rule of `OIDC_ROLES`, such as `groups=help-desk:support` or `*:viewer`. */
export function roleRule(text: string): RoleRule {
  const role = text.slice(text.lastIndexOf(':') + 1) as Role;
  const condition = text.slice(0, text.lastIndexOf(':'));
  if (condition === '*') return { claim: null, role };
  const equals = condition.indexOf('=');
  return { claim: condition.slice(0, equals), value: condition.slice(equals + 1), role };
}

export type Claims = Readonly<Record<string, unknown>>;

/** The roles that the claims of a person give, in the order of the rules. */
export function rolesOfClaims(rules: readonly RoleRule[], claims: Claims): Role[] {
  const fitting = rules.filter((rule) => rule.claim === null || valuesOf(claims[rule.claim]).includes(rule.value));
  return [...new Set(fitting.map(({ role }) => role))];
}

/** Providers send one value, a list, or several in one text with blanks between. */
function valuesOf(claim: unknown): readonly string[] {
  if (Array.isArray(claim)) return claim.map(String);
  if (typeof claim === 'string') return [claim, ...claim.split(' ')];
  return typeof claim === 'number' || typeof claim === 'boolean' ? [String(claim)] : [];
}
