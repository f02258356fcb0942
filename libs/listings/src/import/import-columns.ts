import type { ColumnMap, ImportField } from '../listing-import.contract.js';
import { IMPORT_FIELDS } from '../listing-import.contract.js';

/** Which column of a file is what. */
export type Columns = Readonly<{
  /** The field of each column; undefined for one that is ignored. */
  fields: readonly (ImportField | undefined)[];
  taken: readonly Readonly<{ column: string; field: ImportField }>[];
  ignored: readonly string[];
  /** The lines name no id, so it is made of what they say. */
  lacksId: boolean;
  /** Why no line of the file can be read. */
  fault: string | undefined;
}>;

/**
 * Names that exports of points of sale give a field, best first, folded. `Cost` is none: what the seller paid is no price, neither of the
 * listing nor of the wholesale variant.
 */
const OTHER_NAMES: Partial<Record<ImportField, readonly string[]>> = {
  listing_id: ['externallistingid', 'ticketgroupid'],
  section: ['sec'],
  quantity: ['qty'],
  price: ['listprice', 'listingprice', 'ticketprice'],
  fees: ['fee'],
  wholesale_price: ['wholesale'],
  speculative: ['spec', 'isspeculative'],
  in_hand_at: ['inhanddate', 'inhand', 'inhandon'],
  notes: ['publicnotes', 'externalnotes'],
  event: ['eventname'],
  venue: ['venuename'],
  event_date: ['eventdatetime', 'date', 'datetime', 'eventdateandtime'],
  event_time: ['time'],
  seat_from: ['firstseat', 'lowseat', 'startseat', 'seatstart'],
  seat_thru: ['seatthrough', 'seatto', 'lastseat', 'highseat', 'endseat', 'seatend'],
};

type Known = Readonly<{ field: ImportField; rank: number }>;
const KNOWN: ReadonlyMap<string, Known> = new Map(
  IMPORT_FIELDS.flatMap((field) =>
    [folded(field), ...(OTHER_NAMES[field] ?? [])].map((name, rank) => [name, { field, rank }] as const),
  ),
);

const MOST_IGNORED = 100;
const LONGEST_NAME = 100;

/**
 * Takes the columns of a header for fields: those of the map first, then by their names in any case, with or without separators.
 */
export function columnsOf(header: readonly string[], map: ColumnMap, given: ReadonlySet<string>): Columns {
  const names = header.map((name) => name.trim());
  const { ranks, missing } = ranked(names, map);
  let fault = missing === undefined ? undefined : `map: the header has no column ${JSON.stringify(missing)}`;
  const best = new Map<ImportField, number>();
  for (const [index, known] of ranks.entries()) {
    if (!known) continue;
    const before = best.get(known.field);
    const rank = before === undefined ? Infinity : (ranks[before]?.rank ?? Infinity);
    if (known.rank === rank) fault ??= `the header names ${known.field} twice`;
    if (known.rank < rank) best.set(known.field, index);
  }
  const fields = ranks.map((known, index) => (known && best.get(known.field) === index ? known.field : undefined));
  const has = (...any: string[]) => any.some((field) => best.has(field as ImportField) || given.has(field));
  const lacksId = !best.has('listing_id');
  if (lacksId && !(has('event', 'event_id') && has('section'))) fault ??= 'the header does not name listing_id';
  return {
    fields,
    taken: fields.flatMap((field, index) => (field ? [{ column: shown(names, index), field }] : [])),
    ignored: fields.flatMap((field, index) => (field ? [] : [shown(names, index)])).slice(0, MOST_IGNORED),
    lacksId,
    fault,
  };
}

function ranked(names: readonly string[], map: ColumnMap) {
  const ranks: (Known | undefined)[] = names.map((name) => KNOWN.get(folded(name)));
  let missing: string | undefined;
  for (const [column, field] of map) {
    const exact = names.findIndex((_, index) => shown(names, index) === column);
    const index = exact === -1 ? names.findIndex((name) => folded(name) === folded(column) && name !== '') : exact;
    if (index === -1) missing ??= column;
    else ranks[index] = field === null ? undefined : { field, rank: -1 };
  }
  return { ranks, missing };
}

function shown(names: readonly string[], index: number): string {
  return names[index]?.slice(0, LONGEST_NAME) || `column ${index + 1}`;
}

function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
