import { isWithoutBlanks } from '#web/asked-text.contract';
import { foldedText } from '#base/folded-text';
import { phoneKeys } from './commands/phone-keys.js';

/** What of a person an order is found by. */
export type BuyerField = 'email' | 'phone' | 'last_name' | 'first_name' | 'full_name';

/** A buyer, receiver or payer as it came in. */
export type Person = Readonly<Record<string, unknown>>;

/**
 * The folding of buyers: what of two texts must be equal, for one to be found by the other. E-mail addresses and names are the same if they
 * have the same letters and digits, in any case and without accents (`foldedText`). A full name is the first name and the last name, in
 * this order. Telephone numbers are the same if they have a form in common (`phoneKeys`).
 * Digests of these texts are stored. A change of the folding needs all orders folded anew (`BuyerDigestFilling`), and until then a search
 * has to ask for the earlier texts, too (`askedKeys`).
 */
export function keysOf(field: BuyerField, people: readonly Person[]): readonly string[] {
  // Buyer, receiver and payer are mostly one person, so each text is folded once.
  const texts = new Set(people.map((person) => textOf(person, field)));
  return [...new Set([...texts].flatMap((text) => keysOfText(field, text)))];
}

function keysOfText(field: BuyerField, text: string): readonly string[] {
  switch (field) {
    case 'full_name':
      return found(fullName(text));
    case 'phone':
      return phoneKeys(text);
    default:
      return found(lettersOf(text));
  }
}

/** The texts of which an order has at least one if the field was meant. Full names may be asked for in any order. */
export function askedKeys(field: BuyerField, value: string): readonly string[] {
  switch (field) {
    case 'full_name':
      return [...new Set(rotations(value))].slice(0, MOST_ORDERS_OF_WORDS);
    case 'phone':
      return [...new Set([...phoneKeys(value), ...found(lettersAndDigits(value))])];
    case 'first_name':
      return found(lettersOf(value));
    default:
      return [...new Set([lettersOf(value), lettersAndDigits(value)].flatMap(found))];
  }
}

// Names with more words are found as they were given.
const MOST_ORDERS_OF_WORDS = 12;

/**
 * Letters and digits in lower case, with their accents: the folding of earlier versions, and of addresses, whose digests are only kept for
 * fraud rules.
 */
export function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** Folded, without blanks and punctuation, and without the letters that stand for apostrophes, as in Hawaiian names. */
export function lettersOf(text: string): string {
  return foldedText(text).replace(/[^\p{L}\p{M}\p{N}]|[\u02b9-\u02ff]/gu, '');
}

/** Empty if it is one word: it is found as a first or last name then. */
function fullName(name: string): string {
  const words = wordsOf(name);
  return words.length > 1 ? words.join('') : '';
}

/** Of `Lovelace, Ada King` the words as they are, and with each of the others first. */
function rotations(name: string): string[] {
  const words = wordsOf(name);
  const [only = ''] = words;
  // `李小龍` may be the last name 李 and the first name 小龍.
  const parts = words.length === 1 && isWithoutBlanks(only) ? Array.from(only) : words;
  return parts.length < 2 ? [] : parts.map((_, index) => [...parts.slice(index), ...parts.slice(0, index)].join(''));
}

function wordsOf(text: string): string[] {
  return text
    .split(/[\s,、，]+/)
    .map(lettersOf)
    .filter((word) => word !== '');
}

function textOf(person: Person, field: string): string {
  if (field === 'full_name') return `${textOf(person, 'first_name')} ${textOf(person, 'last_name')}`;
  const value = person[field];
  return typeof value === 'string' ? value : '';
}

function found(key: string): readonly string[] {
  return key === '' ? [] : [key];
}
