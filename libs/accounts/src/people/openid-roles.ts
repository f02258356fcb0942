import type { Role } from '../permission.contract.js';

/**
 * Somebody whose claim has this value, or contains it, gets the role. Without a claim everybody gets it. A claim within another one is named by its
 * path, such as `realm_access.roles`.
 */
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
  const fitting = rules.filter((rule) => rule.claim === null || valuesAt(rule.claim, claims).includes(rule.value));
  return [...new Set(fitting.map(({ role }) => role))];
}

/** Names of claims have dots themselves, e.g. addresses. A claim of exactly this name comes first, else one at such a path. */
function valuesAt(path: string, claims: object): readonly string[] {
  if (Object.hasOwn(claims, path)) return valuesOf((claims as Claims)[path]);
  const dots = [...path.matchAll(/\./g)].map(({ index }) => index);
  return dots.flatMap((dot) => {
    const [outer, inner] = [path.slice(0, dot), path.slice(dot + 1)];
    const within = Object.hasOwn(claims, outer) ? (claims as Claims)[outer] : undefined;
    return typeof within === 'object' && within !== null && !Array.isArray(within) ? valuesAt(inner, within) : [];
  });
}

/** Providers send one value, a list, or several in one text with blanks between. */
function valuesOf(claim: unknown): readonly string[] {
  if (Array.isArray(claim)) return claim.map(String);
  if (typeof claim === 'string') return [claim, ...claim.split(' ')];
  return typeof claim === 'number' || typeof claim === 'boolean' ? [String(claim)] : [];
}
