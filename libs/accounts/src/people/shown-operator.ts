import type { Operator } from '../operator.contract.js';
import type { Operator as StoredOperator } from '../operators.js';

/** An operator as answers show one. */
export function shownOperator({ roles, sellers, lastSignInAt, ...operator }: StoredOperator): Operator {
  const last = lastSignInAt?.toISOString() ?? null;
  return { ...operator, roles: [...roles], sellers: sellers && [...sellers], last_sign_in_at: last };
}
