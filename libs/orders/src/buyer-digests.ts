import { foldedEmail, type Purpose, type Sealer } from '#base/sealing';
import { askedKeys, type BuyerField, keysOf, type Person } from './buyer-folding.js';
import { emailStart, nameIn, partsOfStart } from './email-start.js';

/**
 * The digests by which a buyer's orders are found: the first of each field, how the first e-mail address begins, and all further ones of any
 * field.
 */
export type BuyerDigests = Readonly<Record<BuyerField | 'email_start', Buffer | null>> &
  Readonly<{ others: readonly Buffer[] }>;

export const NO_BUYER_DIGESTS: BuyerDigests = {
  email: null,
  phone: null,
  first_name: null,
  last_name: null,
  full_name: null,
  email_start: null,
  others: [],
};

const PURPOSES: Readonly<Record<BuyerField, Purpose>> = {
  email: 'buyer-email',
  phone: 'buyer-phone',
  first_name: 'buyer-first-name',
  last_name: 'buyer-last-name',
  full_name: 'buyer-full-name',
};

const START: Purpose = 'buyer-email-start';

// Half of a digest tells names apart as well, and an order writes it twice: in its row and in an index.
const BYTES: Readonly<Partial<Record<BuyerField, number>>> = { first_name: 16, full_name: 16 };

type People = Readonly<{ user: object | null; delivery: object; billing: object | null }>;

/** The buyer, the receiver and the payer may be different people, and the order is found by each of them. */
export function buyerDigests(sealer: Sealer, { user, delivery, billing }: People): BuyerDigests {
  const people = ([user, delivery, billing] as readonly (Person | null)[]).filter((person) => person !== null);
  const of = (field: BuyerField): readonly Buffer[] =>
    keysOf(field, people).map((key) => sealer.digest(PURPOSES[field], key).subarray(0, BYTES[field]));
  const [email, ...emails] = of('email');
  const [start, ...starts] = emailStarts(sealer, people);
  const [phone, ...phones] = of('phone');
  const [first, ...firsts] = of('first_name');
  const [last, ...lasts] = of('last_name');
  const [full, ...fulls] = of('full_name');
  return {
    email: email ?? null,
    phone: phone ?? null,
    first_name: first ?? null,
    last_name: last ?? null,
    full_name: full ?? null,
    email_start: start ?? null,
    others: [...emails, ...phones, ...lasts, ...fulls, ...firsts, ...starts.flatMap(partsOfStart)],
  };
}

/** Each once. An order has mostly one address, so the first has a column of its own. */
function emailStarts(sealer: Sealer, people: readonly Person[]): readonly Buffer[] {
  const names = people.flatMap(({ email }) => (typeof email === 'string' && email !== '' ? [nameIn(email)] : []));
  const starts = [...new Set(names)].map((name) => emailStart(name, (text) => sealer.digest(START, text)));
  const known = new Map(starts.filter(({ length }) => length > 0).map((start) => [start.toString('hex'), start]));
  return [...known.values()];
}

/** What the addresses begin with that begin so, by all keys of ENCRYPTION_KEY. Empty if the start is too short. */
export function askedStarts(sealer: Sealer, start: string): readonly Buffer[] {
  return sealer.fingerprints
    .map((_, key) => emailStart(start, (text) => sealer.digests(START, text)[key]!))
    .filter(({ length }) => length > 0);
}

/**
 * The digests that a value may be stored as, by all keys of ENCRYPTION_KEY and by the folding of earlier versions. Empty if the value has nothing
 * to be found by. The oldest digests of e-mail addresses also count punctuation.
 */
export function askedDigests(sealer: Sealer, field: BuyerField, value: string): readonly Buffer[] {
  const keys = askedKeys(field, value);
  if (keys.length === 0) return [];
  const asked = field === 'email' ? new Set([...keys, foldedEmail(value)]) : keys;
  return [...asked].flatMap((key) =>
    sealer.digests(PURPOSES[field], key).map((digest) => digest.subarray(0, BYTES[field])),
  );
}
