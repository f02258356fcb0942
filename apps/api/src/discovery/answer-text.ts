import { hash } from 'node:crypto';
import type { SearchResult, Paging } from '#search/query/paging';
import type { Geolocation } from './place-finder.js';

/**
 * The JSON of an answer in pieces of UTF-8: `rest` is all of it but the one number that is another each time, and what stands
 * before that. Ten events are 40 kB, which are neither joined nor read for the tag as long as nobody has to.
 */
export type AnswerText = Readonly<{
  beforeTook: string | undefined;
  rest: readonly Buffer[];
  /** The same wherever `rest` is the same. */
  digest: string;
}>;

export type BulkName = 'events' | 'performers' | 'venues' | 'taxonomies' | 'genres' | 'recommendations';

export function singleText(document: string): AnswerText {
  const bytes = Buffer.from(document);
  return { beforeTook: undefined, rest: [bytes], digest: digestOf(bytes) };
}

/** The documents are on the wire as they came out of the database. */
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

/** The whole answer. */
export function bytesOf({ beforeTook, rest }: AnswerText, tookMs: number): Buffer {
  return Buffer.concat(beforeTook === undefined ? rest : [Buffer.from(`${beforeTook}${tookMs}`), ...rest]);
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

const digestOf = (data: string | Buffer) => hash('sha1', data, 'base64url');
