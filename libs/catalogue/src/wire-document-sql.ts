import type { CatalogueKind } from '#contracts/backoffice/catalogue';

// The document of an event lacks what changes all the time.
const STATS = ['listing_count', 'average_price', 'lowest_price', 'highest_price'];
const EVENT_DOCUMENT = `left(document::text, -1) || ',"stats":{' ||
  ${STATS.map((name) => `'"${name}":' || coalesce(${name}::text, 'null')`).join(` || ',' || `)} || '},"score":' || score || '}'`;

/** The text of a document as it goes over the wire, in SQL over its row. */
export const wireDocument = (kind: CatalogueKind): string => (kind === 'events' ? EVENT_DOCUMENT : 'document::text');
