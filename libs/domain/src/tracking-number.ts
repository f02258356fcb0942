const UPS = /^1Z[0-9A-Z]{15}[0-9]$/;
const FEDEX_EXPRESS = /^\d{12}$/;
const FEDEX_GROUND = /^\d{15}$/;
/** Door tags and older services, whose check digits are not published. */
const FEDEX_OTHER = /^(?:\d{20}|\d{22}|DT\d{12})$/;

/** The number without the blanks, also invisible ones, that a label or a web page has between its digits. */
export function withoutBlanks(trackingNumber: string): string {
  return trackingNumber.replaceAll(/[\s\p{Cf}]/gu, '');
}

/**
 * Whether a tracking number has the carrier's form and a right check digit. True for carriers whose numbers are not known here. Blanks
 * and hyphens do not count, and neither does case.
 */
export function isTrackingNumber(carrier: string, trackingNumber: string): boolean {
  const number = withoutBlanks(trackingNumber).replaceAll('-', '').toUpperCase();
  switch (carrier.trim().toUpperCase()) {
    case 'UPS':
      return UPS.test(number) && upsCheckDigit(number.slice(2, -1)) === Number(number.at(-1));
    case 'FEDEX':
      if (FEDEX_EXPRESS.test(number)) return expressCheckDigit(number.slice(0, -1)) === Number(number.at(-1));
      if (FEDEX_GROUND.test(number)) return groundCheckDigit(number.slice(0, -1)) === Number(number.at(-1));
      return FEDEX_OTHER.test(number);
    default:
      return true;
  }
}

/** Letters count as digits (A is 2, B is 3 …), every second character double. */
function upsCheckDigit(text: string): number {
  const sum = Array.from(text).reduce((total, sign, at) => {
    const value = /\d/.test(sign) ? Number(sign) : (sign.charCodeAt(0) - 63) % 10;
    return total + (at % 2 === 0 ? value : value * 2);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

function expressCheckDigit(digits: string): number {
  const weights = [3, 1, 7];
  const sum = Array.from(digits).reduce((total, digit, at) => total + Number(digit) * (weights[at % 3] ?? 0), 0);
  return (sum % 11) % 10;
}

/** Every second digit from the right three times, as in barcodes of goods. */
function groundCheckDigit(digits: string): number {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}
