import { HttpError } from '../http/http-error.js';

/** Of what was found where one more than `limit` was asked for: that one tells whether there is a next page. */
export function cursorPage<T>(
  found: readonly T[],
  limit: number,
  cursorAfter: (last: T) => string,
): { page: T[]; next_cursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: last !== undefined && found.length > limit ? cursorAfter(last) : null };
}

/** A cursor as `read` understands it, which gives undefined for what is none; undefined where none was sent. */
export function readCursor<T>(cursor: string | undefined, read: (text: string) => T | undefined): T | undefined {
  const place = cursor === undefined ? undefined : read(cursor);
  if (cursor !== undefined && place === undefined) {
    throw HttpError.with(40001, 'cursor must be the next_cursor of an earlier page');
  }
  return place;
}
