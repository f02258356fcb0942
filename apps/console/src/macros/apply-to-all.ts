import { ApiError } from '../api/api-error.js';
import type { BulkOutcome } from '../api/bulk.js';
import { applyMacro } from '../api/macros.js';

const CONFLICT = 409;

/** Applies a macro to one order after the other. An order at which a step was refused has failed, even if steps before it are done. */
export async function applyToAll(
  ids: readonly string[],
  macroId: string,
  onProgress: (count: number) => void,
): Promise<BulkOutcome> {
  const done: string[] = [];
  const failed: { id: string; error: unknown }[] = [];
  let unchanged = 0;
  for (const [index, id] of ids.entries()) {
    try {
      const { steps } = await applyMacro(id, macroId);
      const errors = steps.flatMap(({ errors: refused = [] }) => refused);
      if (errors.length > 0) failed.push({ id, error: refusalOf(errors) });
      else done.push(id);
      if (errors.length === 0 && steps.every(({ outcome }) => outcome === 'unchanged')) unchanged += 1;
    } catch (error) {
      failed.push({ id, error });
    }
    onProgress(index + 1);
  }
  return { done, unchanged, failed };
}

/** A step is refused in an answer that says 200. */
function refusalOf(errors: readonly Readonly<{ code: number; message: string }>[]): ApiError {
  const codes = errors.map(({ code }) => code);
  return new ApiError(
    CONFLICT,
    codes,
    errors.map(({ message }) => message),
    null,
  );
}
