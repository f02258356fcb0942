import type { Paging } from '#search/query/paging';
import { type Sort, SORT_FIELDS } from '#search/query/sort';
import type { ArgumentReader } from './argument-reader.js';

export const MOST_A_PAGE = 5_000;
export const DOCUMENTS_A_PAGE = 10;

/** Nothing is found so far out, and page times per_page stays a number that PostgreSQL can count to. */
export const LAST_PAGE = 100_000_000;

const SORTS: ReadonlyMap<string, Sort> = new Map(
  SORT_FIELDS.flatMap((field) =>
    (['asc', 'desc'] as const).map((direction) => [`${field}.${direction}`, { field, direction }] as const),
  ),
);

export function readPaging(args: ArgumentReader): Paging {
  return {
    page: readCount(args, 'page', LAST_PAGE) ?? 1,
    perPage: readCount(args, 'per_page', MOST_A_PAGE) ?? DOCUMENTS_A_PAGE,
  };
}

export function readSort(args: ArgumentReader): Sort | undefined {
  const expected = `<field>.asc or <field>.desc with one of the fields ${SORT_FIELDS.join(', ')}`;
  return args.value('sort', expected, (text) => SORTS.get(text));
}

function readCount(args: ArgumentReader, name: string, most: number): number | undefined {
  return args.value(name, `a whole number from 1 to ${most}`, (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    return count >= 1 && count <= most ? count : undefined;
  });
}
