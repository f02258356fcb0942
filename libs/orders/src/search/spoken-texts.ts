import type { Pool } from 'pg';
import { keyOfStart, type Parameters, type UnsortedCondition } from '../condition-sql.js';

/**
 * What people say of an order that none of its own fields has: the end of its id, its show, the section and row of its tickets, one of its
 * seats. `before` is what was said before the seat, as `placeKey` folds it.
 */
export type SpokenText = Readonly<
  | { spoken: 'id_end'; value: string }
  | { spoken: 'show'; words: readonly string[] }
  | { spoken: 'place'; value: string }
  | { spoken: 'seat'; value: string; before: string }
>;

/** The same with the shows or listings that it means, of which there is at least one. */
export type LocatedText = SpokenText & Readonly<{ ids: readonly string[] }>;

/** As many as the list of orders shows of an id. */
const ID_END = 6;
// The latest ones. With more, a name or a section says nothing.
const MOST_LOCATED = 200;
// Fewer letters begin too many words.
const SHORTEST_START = 3;
const LONGEST_PLACE = 100;

/** What `q` may say. Each costs a read of an index, so those that cannot match are left out. */
export function spokenTexts(q: string): readonly SpokenText[] {
  return [...idEnds(q), ...shows(q), ...places(q)];
}

function idEnds(q: string): readonly SpokenText[] {
  // `…5aba1c`, and `ord_01a2…5aba1c`, as the list of orders shows ids.
  const end = /^(?:(?:ord_[0-9a-f]*)?(?:…|\.\.\.))?([0-9a-f]{6})$/i.exec(q)?.[1];
  return end === undefined ? [] : [{ spoken: 'id_end', value: end.toLowerCase() }];
}

function shows(q: string): readonly SpokenText[] {
  const words = wordsOf(q);
  return words.length === 0 || q.includes('@') ? [] : [{ spoken: 'show', words }];
}

/** As the function `show_words` of the database folds titles. */
export function wordsOf(text: string): readonly string[] {
  const folded = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '');
  return folded.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '');
}

/** Section and row may have names of several words, so any number of words may stand before the seat. */
function places(q: string): readonly SpokenText[] {
  const isSaid = /\d/.test(q) || NAMED.test(q);
  const place = placeKey(q);
  if (!isSaid || place === '' || q.length > LONGEST_PLACE || NO_PLACE.test(q)) return [];
  const words = place.split(' ');
  const seat = words.at(-1)!;
  return [
    { spoken: 'place', value: place },
    { spoken: 'seat', value: seat, before: words.slice(0, -1).join(' ') },
  ];
}

const NO_PLACE = /@|…|^ord_/i;

const NAMED = /\b(?:section|sec|row|seats?)\b/i;

/** `Section 104, row C` is `104 c`, as in the function `listing_place` of the database. */
export function placeKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b(?:section|sec|row|seats?)\b/g, ' ')
    .replace(/[\s.,:;/·]+/g, ' ')
    .trim();
}

/** Looks up the shows and listings, so that a search reads no index for what does not exist. */
export async function located(
  pool: Pick<Pool, 'query'>,
  asked: readonly SpokenText[],
): Promise<readonly LocatedText[]> {
  const parameters: unknown[] = [];
  const add = (value: unknown) => `$${parameters.push(value)}`;
  const selects = asked.map((one, index) => {
    const ids = one.spoken === 'id_end' ? `select '' as id` : locatedBy(one, add);
    return `select ${index} as index, array(${ids}) as ids`;
  });
  if (selects.length === 0) return [];
  const { rows } = await pool.query<{ index: number; ids: readonly string[] }>(selects.join(' union all '), parameters);
  return rows.flatMap(({ index, ids }) => (ids.length > 0 ? [{ ...asked[index]!, ids }] : []));
}

type Add = (value: unknown) => string;
type Placed = Exclude<SpokenText, { spoken: 'id_end' }>;

function locatedBy(asked: Placed, add: Add): string {
  switch (asked.spoken) {
    case 'show':
      return `select id::text from discovery_events where show_words(title) @@ to_tsquery('simple', ${add(showQuery(asked.words))})
        order by datetime_utc desc limit ${MOST_LOCATED}`;
    case 'place': {
      const [place, start, end] = ['', ' ', AFTER_BLANK].map((next) => add(asked.value + next));
      return `select id from listings where listing_place(terms) = ${place}
        or (listing_place(terms) ~>=~ ${start} and listing_place(terms) ~<~ ${end})
        order by updated_at desc limit ${MOST_LOCATED}`;
    }
    case 'seat': {
      const isAt = (place: string) => ` and (listing_place(terms) = ${place} or lower(terms ->> 'row') = ${place})`;
      const isThere = asked.before === '' ? '' : isAt(add(asked.before));
      return `select id from listings where terms -> 'seats' is not null
        and terms::jsonb -> 'seats' ?| ${add(spellingsOf(asked.value))}::text[]${isThere}
        order by updated_at desc limit ${MOST_LOCATED}`;
    }
  }
}

// The next character, so that the words after `104` begin with it, and `1045` does not.
const AFTER_BLANK = '!';

/** The last word may be the beginning of one. */
function showQuery(words: readonly string[]): string {
  const asked = words.map((word, index) => {
    return index === words.length - 1 && word.length >= SHORTEST_START ? `'${word}':*` : `'${word}'`;
  });
  return asked.join(' & ');
}

const spellingsOf = (seat: string) => [...new Set([seat, seat.toUpperCase()])];

/** The condition over a row `o` of `orders`, and the index that finds it. */
export function spokenSql(asked: LocatedText, parameters: Parameters): UnsortedCondition {
  const among = () => `any(${parameters.add(asked.ids)}::text[])`;
  switch (asked.spoken) {
    case 'id_end':
      return { sql: `right(o.id, ${ID_END}) = ${parameters.add(asked.value)}`, key: ID_END_KEY };
    case 'show':
      return { sql: `o.event_id = ${among()}`, key: keyOfStart('event_id') };
    case 'place':
      return { sql: `o.listing_id = ${among()}`, key: keyOfStart('listing_id') };
    case 'seat': {
      // Orders of earlier versions do not say which of the listing's seats are theirs: each of them may be.
      const seats = `${parameters.add(spellingsOf(asked.value))}::text[]`;
      const isOwn = `coalesce(o.stock_seats::jsonb ?| ${seats}, true)`;
      return { sql: `(o.listing_id = ${among()} and ${isOwn})`, key: keyOfStart('listing_id') };
    }
  }
}

const ID_END_KEY = { sql: `right(o.id, ${ID_END})`, less: '<', greater: '>', hasId: true } as const;
