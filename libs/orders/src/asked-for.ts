import type { FieldCondition } from './order-condition.contract.js';
import type { Sealer } from '#base/sealing';
import { withoutBlanks } from '#domain/tracking-number';
import { askedDigests, askedStarts } from './buyer-digests.js';
import type { BuyerField } from './buyer-folding.js';
import type { WantedDigests } from './digest-columns.js';
import { looksLikePhone } from './commands/phone-keys.js';
import { type SpokenText, spokenTexts } from './search/spoken-texts.js';

/** What `q` may mean: a text of the order, or who its buyer is. An order meets at least one of them to be found. */
export type AskedFor<Spoken = SpokenText> = Readonly<{
  texts: readonly FieldCondition[];
  spoken: readonly Spoken[];
  buyers: readonly WantedDigests[];
}>;

/** What of a buyer a caller may ask for. Names tell colleagues of a buyer, so brokers find by what the buyer has told them. */
export type AskedBuyers = 'all' | 'addresses' | 'none';

type StartField = 'id' | 'ref_id' | 'tracking_number' | 'transaction_id' | 'listing_id';

/** Compiles `q`, as people type or paste it. */
export function askedFor(q: string, buyers: AskedBuyers, sealer: Sealer): AskedFor {
  return {
    texts: [...startsOf(q), ...wholesOf(q)],
    spoken: spokenTexts(bareOf(q)),
    buyers: [...buyersOf(q, buyers, sealer), ...startsOfBuyers(q, buyers, sealer)],
  };
}

/** The same for a `q` that is the whole text, as the list by filters takes it. */
export function askedWhole(q: string, buyers: AskedBuyers, sealer: Sealer): AskedFor {
  const value = spellingsOf(q);
  const texts = WHOLE_FIELDS.map((field) => ({ field, op: 'in' as const, value }));
  return { texts, spoken: [], buyers: buyersOf(q, buyers, sealer) };
}

const WHOLE_FIELDS = ['id', 'ref_id', 'listing_id', 'event_id', 'transaction_id'] as const;

/** An id as it was typed, and without what people paste along (`#`, quotes, brackets), in either case. */
function spellingsOf(q: string): readonly string[] {
  const bare = bareOf(q);
  const { lower, upper } = casesOf(bare);
  return [...new Set([q, bare, lower, upper])];
}

/** Without digits and signs a text is hardly an id but a name, and each case costs a read of an index. */
function casesOf(text: string): Readonly<{ lower: string; upper: string }> {
  const mayBeId = /[\d_-]/.test(text);
  return { lower: mayBeId ? text.toLowerCase() : text, upper: mayBeId ? text.toUpperCase() : text };
}

function bareOf(q: string): string {
  return q.replace(PASTED_BEFORE, '').replace(PASTED_BEHIND, '') || q;
}

const PASTED_BEFORE = /^[\s#"'`“”„‘’‚«»<([]+/;
const PASTED_BEHIND = /[\s"'`“”„‘’‚«»>)\],;]+$/;

/** Each costs a read of an index: order ids are in lower case, tracking numbers in upper case and without blanks, transaction ids rarely in upper case. */
function startsOf(q: string): readonly FieldCondition[] {
  const bare = bareOf(q);
  const compact = withoutBlanks(bare);
  const id = compact.toLowerCase();
  const starts: Readonly<Record<StartField, readonly string[]>> = {
    id: ORDER_ID.test(id) ? [id] : [],
    ref_id: spellingsOf(q),
    tracking_number: [compact, casesOf(compact).upper],
    transaction_id: [q, bare, casesOf(bare).lower],
    listing_id: [q, bare],
  };
  return Object.entries(starts).flatMap(([field, values]) =>
    [...new Set(values)].map((value) => ({ field: field as StartField, op: 'starts_with' as const, value })),
  );
}

/** A show of the catalogue has a number, and how one begins says nothing. */
function wholesOf(q: string): readonly FieldCondition[] {
  const bare = bareOf(q);
  const event: FieldCondition = { field: 'event_id', op: '=', value: bare };
  return /^\d{4}$/.test(bare) ? [event, { field: 'card_last4', op: '=', value: bare }] : [event];
}

const ORDER_ID = /^(?:o|or|ord|ord_[0-9a-f]*)$/;

function buyersOf(q: string, buyers: AskedBuyers, sealer: Sealer): readonly WantedDigests[] {
  const fields = FIELDS[buyers].filter((field) => LOOKS_LIKE[field](q));
  const wanted = fields.map((field) => ({ field, digests: askedDigests(sealer, field, q) }));
  return wanted.filter(({ digests }) => digests.length > 0);
}

/** Brokers find whole addresses only: a start would tell who else buys. */
function startsOfBuyers(q: string, buyers: AskedBuyers, sealer: Sealer): readonly WantedDigests[] {
  if (buyers !== 'all' || !isStart(q)) return [];
  const digests = askedStarts(sealer, q);
  return digests.length > 0 ? [{ field: 'email_start', digests }] : [];
}

const FEWEST_OF_ADDRESS = 4;

/** What may stand before the `@` of an address, but no order's id. */
const isStart = (q: string) =>
  Array.from(q).length >= FEWEST_OF_ADDRESS && !/[\s@,;]/.test(q) && !q.toLowerCase().startsWith('ord_');

const FIELDS: Readonly<Record<AskedBuyers, readonly BuyerField[]>> = {
  all: ['email', 'phone', 'last_name', 'first_name', 'full_name'],
  addresses: ['email', 'phone'],
  none: [],
};

/** No name has an `@`, an underscore or three digits in a row. Nearly all ids have. */
const isName = (q: string) => /\p{L}/u.test(q) && !/[@_]|\d{3}/.test(q);

// An alternative costs a read of an index, so those that cannot match are left out.
const LOOKS_LIKE: Readonly<Record<BuyerField, (q: string) => boolean>> = {
  email: (q) => q.includes('@'),
  phone: looksLikePhone,
  last_name: isName,
  first_name: isName,
  full_name: isName,
};
