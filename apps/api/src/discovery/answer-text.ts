import type { Found, Paging } from '#catalogue/search/paging';
import type { Geolocation } from './place-finder.js';

/** The JSON of an answer, cut where the one number stands that is another each time. */
export type AnswerText = Readonly<{ beforeTook: string | undefined; rest: string }>;

export type BulkName = 'events' | 'performers' | 'venues' | 'taxonomies' | 'genres' | 'recommendations';

export function singleText(document: string): AnswerText {
  return { beforeTook: undefined, rest: document };
}

/** The documents are on the wire as they came out of the database. */
export function bulkText(
  name: BulkName,
  { total, documents }: Found,
  { page, perPage }: Paging,
  geolocation?: Geolocation,
): AnswerText {
  const meta = `"geolocation":${JSON.stringify(geolocation ?? null)},"per_page":${perPage},"total":${total},"page":${page}`;
  return { beforeTook: '{"meta":{"took":', rest: `,${meta}},"${name}":[${documents.join(',')}]}` };
}

export function jsonOf({ beforeTook, rest }: AnswerText, tookMs: number): string {
  return beforeTook === undefined ? rest : `${beforeTook}${tookMs}${rest}`;
}
