import type { AskedFor } from './asked-for.js';
import { type AskedMatch, MATCH_FIELDS, type MatchField } from './asked-match.contract.js';
import { askedKeys, type BuyerField, keysOf, lettersOf, type Person } from './buyer-folding.js';
import { nameIn } from './email-start.js';
import type { WantedDigests } from './digest-columns.js';
import type { FieldCondition } from './order-condition.contract.js';
import { placeKey, type SpokenText, wordsOf } from './search/spoken-texts.js';

/** The same for one of the people of the order, by their place among them. */
export type PersonMatch = AskedMatch & Readonly<{ person: number; of: BuyerField }>;

const COLUMNS = [
  'id',
  'ref_id',
  'tracking_number',
  'transaction_id',
  'listing_id',
  'event_id',
  'card_last4',
] as const satisfies readonly MatchField[];
type Column = (typeof COLUMNS)[number];

/** The values of an order that `q` is compared with; `show` is its title. */
export type MatchedOrder = Readonly<Record<Column | 'show' | 'section' | 'row', string | null>> &
  Readonly<{ seats: readonly string[] | null }>;

/** The fields that a search looks at. */
export function searchedFields({ texts, spoken, buyers }: AskedFor): MatchField[] {
  const searched = new Set<string>([
    ...texts.map(({ field }) => field),
    ...spoken.map(fieldOfSpoken),
    ...buyers.map(({ field }) => fieldOfBuyer(field)),
  ]);
  return MATCH_FIELDS.filter((field) => searched.has(field));
}

/** Where the order itself met the search, each once. */
export function textMatches({ texts, spoken }: AskedFor, order: MatchedOrder): AskedMatch[] {
  const inColumns = texts.flatMap((asked) => columnMatches(asked, order));
  const said = spoken.flatMap((asked) =>
    saidParts(asked, order).map((part) => ({ field: fieldOfSpoken(asked), part })),
  );
  return unique([...inColumns, ...said]);
}

/** Where its people met it, each once. @param people buyer, receiver and payer */
export function personMatches(q: string, { buyers }: AskedFor, people: readonly Person[]): PersonMatch[] {
  const found = people.flatMap((person, index) =>
    buyers.flatMap(({ field: of }) => {
      const part = of === 'email_start' ? startOf(q, person) : wholeOf(q, of, person);
      if (part === undefined) return [];
      return [{ field: fieldOfBuyer(of), of: of === 'email_start' ? ('email' as const) : of, part, person: index }];
    }),
  );
  return unique(found);
}

function fieldOfSpoken({ spoken }: SpokenText): MatchField {
  return spoken === 'id_end' ? 'id' : spoken;
}

function fieldOfBuyer(field: WantedDigests['field']): MatchField {
  if (field === 'email' || field === 'email_start') return 'email';
  return field === 'phone' ? 'phone' : 'name';
}

function saidParts(asked: SpokenText, order: MatchedOrder): readonly string[] {
  const place = [order.section, order.row].filter(Boolean).join(' ');
  const key = placeKey(place);
  switch (asked.spoken) {
    case 'id_end':
      return order.id?.endsWith(asked.value) ? [asked.value] : [];
    case 'show':
      return order.show === null ? [] : shownWords(asked.words, order.show);
    case 'place':
      return key === asked.value || key.startsWith(`${asked.value} `) ? [place] : [];
    case 'seat': {
      const { before, value } = asked;
      const isThere = before === '' || before === key || before === order.row?.toLowerCase();
      return isThere ? (order.seats ?? []).filter((seat) => seat === value || seat === value.toUpperCase()) : [];
    }
  }
}

function columnMatches({ field, op, value }: FieldCondition, order: MatchedOrder): AskedMatch[] {
  const column = COLUMNS.find((one) => one === field);
  const own = column && order[column];
  if (!column || !own) return [];
  const isMet = (text: string) => (op === 'starts_with' ? own.startsWith(text) : own === text);
  return [value]
    .flat()
    .map(String)
    .filter(isMet)
    .map((part) => ({ field: column, part }));
}

/** The words of a title that were asked for. All of them are in it, or none counts. */
function shownWords(asked: readonly string[], title: string): readonly string[] {
  const words = title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const fold = (text: string) => wordsOf(text).join('');
  const found = asked.map((wanted, index) => {
    const isLast = index === asked.length - 1;
    const whole = words.find((word) => fold(word) === wanted);
    const begun = isLast ? words.find((word) => fold(word).startsWith(wanted)) : undefined;
    return whole ?? (begun && leading(begun, wanted, fold));
  });
  return found.every((word) => word !== undefined) ? found : [];
}

/** How the person's address begins, as it is written. */
function startOf(q: string, { email }: Person): string | undefined {
  return typeof email === 'string' ? leading(nameIn(email), lettersOf(q), lettersOf) : undefined;
}

function wholeOf(q: string, field: BuyerField, person: Person): string | undefined {
  const keys = keysOf(field, [person]);
  if (!askedKeys(field, q).some((key) => keys.includes(key))) return undefined;
  const names = field === 'full_name' ? ['first_name', 'last_name'] : [field];
  return names.map((name) => String(person[name])).join(' ');
}

/** The shortest beginning of a text that is the wanted one when folded. */
function leading(text: string, wanted: string, fold: (text: string) => string): string | undefined {
  if (wanted === '' || !fold(text).startsWith(wanted)) return undefined;
  const characters = Array.from(text);
  const length = characters.findIndex((_, index) => fold(characters.slice(0, index + 1).join('')) === wanted);
  return length < 0 ? undefined : characters.slice(0, length + 1).join('');
}

function unique<M extends AskedMatch>(matches: readonly M[]): M[] {
  return [...new Map(matches.map((match) => [JSON.stringify(match), match])).values()];
}
