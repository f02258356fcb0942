import type { Query } from './query-string.js';
import { DEFAULT_PER_PAGE } from './page-arguments.js';

/** What a request asks for, before its arguments are checked. */
export type Asked = Readonly<{ documents: number; isRendered: boolean }>;

// Measured: a request costs as much as 50 documents whose bytes are copied, or as 10 that are parsed and written anew.
const COPIED_PER_REQUEST = 50;
const RENDERED_PER_REQUEST = 10;

/** Estimated from `per_page`. Invalid values cost little, because they are answered 400. */
export function askedOf(query: Query, maxPerPage: number): Asked {
  const perPage = Number(query.get('per_page')?.[0] ?? DEFAULT_PER_PAGE);
  const documents = perPage >= 1 && perPage <= maxPerPage ? perPage : DEFAULT_PER_PAGE;
  const isXml = query.get('format')?.[0]?.toLowerCase() === 'xml';
  return { documents, isRendered: isXml || ['callback', 'aid', 'rid'].some((name) => query.get(name)?.[0]) };
}

/** The requests that count for the rate of a key. A page of the default size is one, in any format. */
export function costOf({ documents, isRendered }: Asked): number {
  return Math.ceil(documents / (isRendered ? RENDERED_PER_REQUEST : COPIED_PER_REQUEST));
}
