import type { CatalogueKind } from '../catalogue.contract.js';

// Stored event documents omit the fields that change often.
const STATS = ['listing_count', 'average_price', 'lowest_price', 'highest_price'];
const EVENT_DOCUMENT = `left(document::text, -1) || ',"stats":{' ||
  ${STATS.map((name) => `'"${name}":' || coalesce(${name}::text, 'null')`).join(` || ',' || `)} || '},"score":' || score || '}'`;

/** SQL for the text of a document as sent, over its row. */
export const wireDocument = (kind: CatalogueKind): string => (kind === 'events' ? EVENT_DOCUMENT : 'document::text');
