import { parseIncompletePhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';

// `x12`, `ext. 12`, `;ext=12`, `#12`, and the words of some other languages.
const EXTENSION =
  /[\s,;]*(?:\b(?:ext(?:ension|n)?|durchwahl|dw|poste|anexo|interno?)|x|доб(?:авочный)?|#)[.:=\s]*\d{1,8}#?\s*$/iu;
const FEWEST_DIGITS = 3;
const NORTH_AMERICAN = /^1[2-9]\d{9}$/;

/** How the number begins that is dialled within the country, in what is written for callers from abroad: `+44 (0)20`. */
const TRUNK_IN_BRACKETS = /\(\s*0\s*\)/;

/**
 * The forms by which a telephone number is compared: two numbers are the same if they have a form in common. A form is the digits of the
 * national number, without the country code, the zeros before it and the extension. A number that is written without `+` or `00` may begin
 * with a country code or not, so it may have two. Empty without digits.
 */
export function phoneKeys(text: string): readonly string[] {
  const dialled = parseIncompletePhoneNumber(withoutExtension(text.normalize('NFKC')).replace(TRUNK_IN_BRACKETS, ''));
  const digits = dialled.replace('+', '');
  // The library throws and catches an error for each text without digits. That costs as much as a tenth of a purchase.
  if (digits === '') return [];
  const own = [digits, ...withoutTrunk(digits)].map(withoutZeros);
  if (dialled.startsWith('+')) return unique([nationalNumber(digits, 'possible') ?? withoutZeros(digits)]);
  if (digits.startsWith('00')) {
    const national = nationalNumber(digits.slice(2), 'possible');
    if (national !== undefined) return [national];
  }
  // 011 is how the United States dial abroad, and how some places begin elsewhere.
  const abroad = digits.startsWith('011') ? digits.slice(3) : digits;
  return unique([nationalNumber(abroad, 'valid'), ...own]);
}

/** Whether a text can be a telephone number and nothing else: digits and what people write between them. */
export function looksLikePhone(text: string): boolean {
  const plain = withoutExtension(text.normalize('NFKC'));
  return /^[\p{Nd}\s()+\-–—./·]+$/u.test(plain) && plain.replace(/\P{Nd}/gu, '').length >= FEWEST_DIGITS;
}

function withoutExtension(text: string): string {
  const number = text.replace(EXTENSION, '');
  return number.replace(/\P{Nd}/gu, '').length < FEWEST_DIGITS ? text : number;
}

/** `valid` is asked for where the digits may as well be a national number. */
function nationalNumber(digits: string, be: 'possible' | 'valid'): string | undefined {
  // Most buyers are in North America, where the library tries 25 countries and finds the same.
  if (be === 'possible' && NORTH_AMERICAN.test(digits)) return digits.slice(1);
  const number = parsePhoneNumberFromString(`+${digits}`);
  if (!number || !(be === 'valid' ? number.isValid() : number.isPossible())) return undefined;
  return withoutZeros(number.nationalNumber);
}

/** Russia, Kazakhstan and Belarus dial 8 before the national number. */
function withoutTrunk(digits: string): string[] {
  return /^8\d{10}$/.test(digits) ? [digits.slice(1)] : [];
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

function unique(keys: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(keys.filter((key) => key !== undefined && key !== ''))] as string[];
}
