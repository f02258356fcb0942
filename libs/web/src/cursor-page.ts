import { HttpError } from './http-error.js';

/** Expects one row more than `limit`: it shows whether there is a next page. */
export function cursorPage<T>(
  found: readonly T[],
  limit: number,
  cursorAfter: (last: T) => string,
): { page: T[]; next_cursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: last !== undefined && found.length > limit ? cursorAfter(last) : null };
}

/** Parses a cursor; undefined if none was sent. `read` returns undefined for an invalid one. */
export function readCursor<T>(cursor: string | undefined, read: (text: string) => T | undefined): T | undefined {
  const position = cursor === undefined ? undefined : read(cursor);
  if (cursor !== undefined && position === undefined) {
    throw HttpError.with(40001, 'cursor must be the next_cursor of an earlier page');
  }
  return position;
}
