import validator from 'card-validator';
import { isJsonObject } from '#base/text';

const SHORTEST = 13;
const LONGEST = 19;
const SHOWN_DIGITS = 4;

/** Digits with single separators between them, as people type card numbers. Most texts have no such run and cost only this search. */
const DIGITS = /\d(?:[ \u00a0._/-]?\d){12,}/g;

/** Names under which programs send the security code of a card. */
const SECURITY_CODE = /^(?:card[ _-]?)?(?:cvv2?|cvc2?|csc|cid|security[ _-]?code|verification[ _-]?(?:code|value))$/i;
const CODE_DIGITS = /^\d{3,4}$/;

/** Whether a text, or any text, number or name in a value of JSON, is or contains a card number, or a security code under its usual name. */
export function hasCardData(value: unknown): boolean {
  if (typeof value === 'string') return cardsIn(value).length > 0;
  if (typeof value === 'number') return isLong(value) && hasCardData(String(value));
  if (typeof value === 'bigint') return hasCardData(String(value));
  if (Array.isArray(value)) return value.some(hasCardData);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, item]) => isSecurityCode(name, item) || hasCardData(name) || hasCardData(item),
  );
}

/** The same value with only the last four digits of card numbers, and without security codes. A value without card data is returned as it is. */
export function maskCardData<T>(value: T): T {
  return hasCardData(value) ? (masked(value) as T) : value;
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return hasCardData(value) ? maskedText(String(value)) : value;
  if (Array.isArray(value)) return value.map(masked);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [
    maskedText(name),
    isSecurityCode(name, item) ? '*'.repeat(String(item).length) : masked(item),
  ]);
  return Object.fromEntries(entries) as object;
}

function maskedText(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of cardsIn(text)) {
    pieces.push(text.slice(done, from), maskedCard(text.slice(from, to)));
    done = to;
  }
  return pieces.join('') + text.slice(done);
}

function maskedCard(card: string): string {
  let left = card.replace(/\D/g, '').length;
  return card.replace(/\d/g, (digit) => (left-- > SHOWN_DIGITS ? '*' : digit));
}

type Place = Readonly<{ from: number; to: number }>;
type Part = Place & Readonly<{ digits: string }>;

/** Places that do not overlap, in their order. */
function cardsIn(text: string): Place[] {
  return [...text.matchAll(DIGITS)].flatMap(({ 0: run, index }) => cardsInRun(run, index));
}

/** A run may go on after the card, as in `4111 1111 1111 1111 12/28`. So each part between two separators may begin or end one. */
function cardsInRun(run: string, at: number): Place[] {
  const parts = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => {
    return { digits, from: at + index, to: at + index + digits.length };
  });
  const found: Place[] = [];
  let done = 0;
  for (const [index, { from }] of parts.entries()) {
    const to = from < done ? undefined : endOfCard(parts, index);
    if (to === undefined) continue;
    found.push({ from, to });
    done = to;
  }
  return found;
}

/** Where the longest card number ends that begins with this part; undefined if none does. */
function endOfCard(parts: readonly Part[], first: number): number | undefined {
  let digits = '';
  let end: number | undefined;
  for (let index = first; index < parts.length; index += 1) {
    const part = parts[index];
    digits += part?.digits ?? '';
    if (digits.length > LONGEST) break;
    if (digits.length >= SHORTEST && isCardNumber(digits)) end = part?.to;
  }
  return end;
}

// The check sum first: looking for the brand takes a hundred times as long.
function isCardNumber(digits: string): boolean {
  return passesLuhn(digits) && validator.number(digits).isValid;
}

const ZERO = '0'.charCodeAt(0);

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - ZERO;
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isSecurityCode(name: string, value: unknown): boolean {
  return (
    SECURITY_CODE.test(name) &&
    (typeof value === 'string' || typeof value === 'number') &&
    CODE_DIGITS.test(String(value))
  );
}

function isLong(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 10 ** (SHORTEST - 1);
}
