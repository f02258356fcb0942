import { ApiError } from './api-error.js';
import { faultsIn } from './refusal-text.js';
import { INVALID_FIELD } from './error-codes.js';

/**
 * The server's message for each field of a form: `{ name: 'Must be 1 to 200 visible characters' }`. A part of a
 * field, as `holder.email`, may be a field of the form itself. Empty for an error about none of `fields`, which is then shown below the form.
 */
export function fieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  if (!(error instanceof ApiError) || !error.has(INVALID_FIELD)) return {};
  const found: Partial<Record<Field, string>> = {};
  for (const { path, text } of error.messages.flatMap(faultsIn)) {
    const [name] = path.split('.');
    const field = fields.find((known) => known === path) ?? fields.find((known) => known === name);
    if (field) found[field] ??= `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  }
  return found;
}
