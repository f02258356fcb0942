import { CatalogueId } from '#contracts/backoffice/catalogue';

/** The id in the catalogue that a text names. Undefined if it names none: listings and orders may have any text as their event. */
export function catalogueIdOf(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) ? CatalogueId.safeParse(Number(text)).data : undefined;
}
