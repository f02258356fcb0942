import validator from 'card-validator';

/** A card for the payment provider. It exists only in memory. */
export type Card = Readonly<{ number: string; expiryMonth: number; expiryYear: number; cvv: string }>;

type CheckedNumber = Readonly<{ digits: string; brand: string; cvvLength: number }>;

/** Digits (without the spaces and dashes between them), brand and length of the CVV of a card number that passes its brand's checks, else null. */
export function cardNumber(text: string): CheckedNumber | null {
  // The longest number has 19 digits. The rest is for the separators that people type.
  if (text.length > 40 || !/^[\d -]+$/.test(text)) return null;
  const digits = text.replace(/[ -]/g, '');
  const { isValid, card } = validator.number(digits);
  return isValid && card ? { digits, brand: card.type, cvvLength: card.code.size } : null;
}

/** `length` is that of the brand; without a known brand both lengths pass, as another issue is reported anyway. */
export function isCvv(text: string, length?: number): boolean {
  return /^\d{3,4}$/.test(text) && (length === undefined || text.length === length);
}

export function expiryMonth(text: string): number | null {
  return /^(0?[1-9]|1[0-2])$/.test(text) ? Number(text) : null;
}

/** Returns the year with four digits. */
export function expiryYear(text: string): number | null {
  if (/^\d\d$/.test(text)) return 2000 + Number(text);
  return /^\d{4}$/.test(text) ? Number(text) : null;
}

// A card's month ends last at UTC-12. The provider decides anyway.
const LAST_TIMEZONE_MS = 12 * 3_600_000;

// No card is issued for longer, so a later year is a typing error.
const LONGEST_VALIDITY_YEARS = 20;

/** Returns whether a card is valid at `now` (ms since the epoch). It is valid to the end of its month. */
export function isCurrent(year: number, month: number, now: number): boolean {
  const end = Date.UTC(year, month) + LAST_TIMEZONE_MS;
  return now < end && year <= new Date(now).getUTCFullYear() + LONGEST_VALIDITY_YEARS;
}
