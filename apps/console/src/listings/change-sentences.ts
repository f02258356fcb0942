import type { ListingDocument } from '#listings/listing.contract';
import { bulkWords } from './bulk-words.js';
import type { ChangeKind, ListingLine } from './listing-change.js';

const words = bulkWords.follows;

/** What follows from the lines, in sentences. */
export function sentencesOf(
  kind: ChangeKind,
  lines: readonly ListingLine[],
  listings: readonly ListingDocument[],
): string[] {
  const withdrawn = listings.filter(({ state }) => state === 'withdrawn').length;
  const on = listings.length - withdrawn;
  const stay = withdrawn > 0 ? [words.stillWithdrawn(withdrawn)] : [];
  if (kind === 'withdrawn') return stateSentences(words.withdrawn(on), on, withdrawn);
  if (kind === 'on_sale') return stateSentences(words.on_sale(withdrawn), withdrawn, on);
  if (kind === 'quantity') return [words.quantity(lines.length, lines[0]?.quantity ?? 0), ...stay];
  const prices = lines.flatMap(({ price }) => price ?? []);
  const valid = prices.filter((price) => price >= 0);
  const [least, most] = rangeOf(valid);
  const [before, upTo] = rangeOf(listings.map(({ price }) => price));
  return [
    ...(valid.length === 0
      ? []
      : [least === most ? words.price(valid.length, least) : words.prices(valid.length, least, most)]),
    words.before(before, upTo),
    ...(valid.length < prices.length ? [words.negative(prices.length - valid.length)] : []),
    words.others,
    words.colleagues,
    ...stay,
  ];
}

const stateSentences = (change: string, changing: number, already: number) => [
  ...(changing > 0 ? [change] : []),
  ...(already > 0 ? [words.already(already)] : []),
];

const rangeOf = (prices: readonly number[]) => [Math.min(...prices), Math.max(...prices)] as const;
