import { hash } from 'node:crypto';
import type { SearchResult, Paging } from '../search/query/paging.js';
import type { Geolocation } from './place-finder.js';

export type BulkName = 'events' | 'performers' | 'venues' | 'taxonomies' | 'genres' | 'recommendations';

/** What an answer says, before it has a format. The documents are UTF-8 JSON, as the database returned them. */
export type AnswerText = Readonly<{
  /** Of a bulk answer: the key of its documents, and its meta as JSON without `{"took":…`, which changes each time. */
  bulk: Readonly<{ name: BulkName; meta: string }> | undefined;
  documents: readonly Buffer[];
  /** Bytes of the documents. */
  size: number;
  /** Equal for answers that differ in `took` only. */
  digest: string;
}>;

export function singleText(document: string): AnswerText {
  const bytes = Buffer.from(document);
  return { bulk: undefined, documents: [bytes], size: bytes.length, digest: digestOf(bytes) };
}

export function bulkText(
  name: BulkName,
  { total, documents }: SearchResult,
  { page, perPage }: Paging,
  geolocation?: Geolocation,
): AnswerText {
  const meta = `,"geolocation":${JSON.stringify(geolocation ?? null)},"per_page":${perPage},"total":${total},"page":${page}}`;
  return {
    bulk: { name, meta },
    documents: documents.map(({ bytes }) => bytes),
    size: documents.reduce((sum, { bytes }) => sum + bytes.length, 0),
    digest: digestOf(`${meta},"${name}":[${documents.map(({ digest }) => digest).join()}`),
  };
}

const digestOf = (data: string | Buffer) => hash('sha1', data, 'base64url');
