import { z } from 'zod';

const readOnly = z.unknown().optional().meta({ description: 'as in the answer to GET; ignored' });

/** Fields that GET shows and PUT ignores, so that a document can be read, changed and sent back. */
export function readOnlyFields<Name extends string>(...names: readonly Name[]): Record<Name, typeof readOnly> {
  return Object.fromEntries(names.map((name) => [name, readOnly])) as Record<Name, typeof readOnly>;
}

/** The version of a list that PUT replaces. */
export const expectedListVersion = z.int().min(0).nullish().meta({
  description: 'as in the answer to GET: it is replaced only if nobody has changed it since, as with If-Match',
});
