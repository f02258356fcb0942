import { CatalogueId } from './catalogue.contract.js';

// The largest id has 16 digits, and every number of 16 digits fits into a bigint.
const ID = '[1-9][0-9]{0,15}';
const WHOLE = new RegExp(`^${ID}$`);
const AT_END = new RegExp(`(?:^|-)(${ID})$`);

/** The id in the catalogue that a text names. Undefined if it names none: listings and orders may have any text as their event. */
export function catalogueIdOf(text: string): number | undefined {
  return WHOLE.test(text) ? CatalogueId.safeParse(Number(text)).data : undefined;
}

/** The same for the end of a path: `1001`, `hamilton-1001`. */
export function catalogueIdAtEnd(path: string): number | undefined {
  return catalogueIdOf(AT_END.exec(path)?.[1] ?? '');
}

/** SQL for the id that a text column names, or null. */
export const catalogueIdSql = (column: string): string => `case when ${column} ~ '^${ID}$' then ${column}::bigint end`;
