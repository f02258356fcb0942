import type { Paging } from '../search/query/paging.js';
import { type Sort, SORT_FIELDS } from '../search/query/sort.js';
import { MAX_PER_PAGE } from '#accounts/discovery-key.limits';
import { type Argument, argument, count, parametersOf, value, wholeNumber } from './argument.js';

export const DEFAULT_PER_PAGE = 10;

// No search has so many pages, and page times per_page stays exact.
const MAX_PAGE = 100_000_000;

const SORTS: ReadonlyMap<string, Sort> = new Map(
  SORT_FIELDS.flatMap((field) =>
    (['asc', 'desc'] as const).map((direction) => [`${field}.${direction}`, { field, direction }] as const),
  ),
);

/** `page` and `per_page`. Their descriptions differ on routes that answer everything by default. */
export function paging(says: Readonly<{ perPage: string; page: string }>): Argument<Paging> {
  const perPage = argument(
    'per_page',
    `${says.perPage}. A key may ask for 500, or for as many as it was given (\`max_per_page\`)`,
    (args, name) => {
      const most = args.maxPerPage;
      return args.value(name, `a whole number from 1 to ${most}`, (digits) => wholeNumber(digits, most));
    },
    { schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE } },
  );
  const page = count('page', says.page, MAX_PAGE, { default: 1 });
  return {
    parameters: parametersOf([perPage, page]),
    read: (args) => ({ page: page.read(args) ?? 1, perPage: perPage.read(args) ?? DEFAULT_PER_PAGE }),
  };
}

export const PAGING = paging({
  perPage: `documents a page; without it ${DEFAULT_PER_PAGE}`,
  page: 'counts from 1',
});

/** `without` describes the order of an answer when no `sort` is sent. */
export function sorting(without: string): Argument<Sort | undefined> {
  return value('sort', `without it ${without}`, {
    expected: `<field>.asc or <field>.desc with one of the fields ${SORT_FIELDS.join(', ')}`,
    parse: (name) => SORTS.get(name),
    enum: [...SORTS.keys()],
  });
}
