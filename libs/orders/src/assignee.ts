import type { Operators } from '#accounts/operators';
import { HttpError } from '#web/http-error';

/** Null is nobody. @throws HttpError 40001 that names the field, unless the operator may be given orders */
export async function checkAssignee(operators: Operators, id: string | null, field: string): Promise<void> {
  if (id === null || (await operators.find(id))?.state === 'active') return;
  throw HttpError.with(40001, `${field}: must be an active operator`);
}
