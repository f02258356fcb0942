import { hash } from 'node:crypto';
import type { SearchResult, Paging } from '#search/query/paging';
import type { Geolocation } from './place-finder.js';

/**
 * The JSON of an answer in chunks of UTF-8. `took` changes each time, so `beforeTook` ends where it stands and `rest` follows it.
 * Ten events are 40 kB; the chunks are joined or hashed only if needed.
 */
export type AnswerText = Readonly<{
  beforeTook: string | undefined;
  rest: readonly Buffer[];
  /** Equal for equal `rest`. */
  digest: string;
}>;

export type BulkName = 'events' | 'performers' | 'venues' | 'taxonomies' | 'genres' | 'recommendations';

export function singleText(document: string): AnswerText {
  const bytes = Buffer.from(document);
  return { beforeTook: undefined, rest: [bytes], digest: digestOf(bytes) };
}

/** The documents are sent as the database returned them. */
export function bulkText(
  name: BulkName,
  { total, documents }: SearchResult,
  { page, perPage }: Paging,
  geolocation?: Geolocation,
): AnswerText {
  const meta = `,"geolocation":${JSON.stringify(geolocation ?? null)},"per_page":${perPage},"total":${total},"page":${page}`;
  const head = `${meta}},"${name}":[`;
  const listed = documents.flatMap(({ bytes }, at) => (at === 0 ? [bytes] : [COMMA, bytes]));
  return {
    beforeTook: '{"meta":{"took":',
    rest: [Buffer.from(head), ...listed, END],
    digest: digestOf(`${head}${documents.map(({ digest }) => digest).join()}`),
  };
}

export function bytesOf({ beforeTook, rest }: AnswerText, tookMs: number): Buffer {
  return Buffer.concat(beforeTook === undefined ? rest : [Buffer.from(`${beforeTook}${tookMs}`), ...rest]);
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

const digestOf = (data: string | Buffer) => hash('sha1', data, 'base64url');
