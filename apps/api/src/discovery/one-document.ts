import type { CatalogueSearch } from '#catalogue/search/catalogue-search';
import { Refused } from '../http/refused.js';
import { idOf } from './argument-reader.js';

/** The document of a path that ends with its id; 404 when there is none. */
export async function documentOf(
  catalogue: CatalogueSearch,
  kind: 'event' | 'performer' | 'venue',
  idText: string,
): Promise<string> {
  const id = idOf(idText);
  const document = id === undefined ? undefined : await catalogue.one(kind, id);
  if (document === undefined) throw Refused.with(40400, `there is no such ${kind}`);
  return document;
}
