import type { WireDocument } from './wire-document.js';

/** `page` starts at 1; `perPage` is from 1 to 5,000. */
export type Paging = Readonly<{ page: number; perPage: number }>;

/** `total` counts all matches. */
export type SearchResult = Readonly<{ total: number; documents: readonly WireDocument[] }>;
