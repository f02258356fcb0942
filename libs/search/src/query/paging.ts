import type { WireDocument } from './wire-document.js';

/** Pages count from 1; `perPage` from 1 to 5,000. */
export type Paging = Readonly<{ page: number; perPage: number }>;

/** What a search gives: the documents of one page in their order, and how many match in all. */
export type Found = Readonly<{ total: number; documents: readonly WireDocument[] }>;
