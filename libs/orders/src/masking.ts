const HIDDEN = '••';

/** Coarse enough to name nobody, and needed to explain a tax or a delivery cost. */
const PUBLIC_FIELDS = ['state', 'country'];

/**
 * Personal data with only the beginning of each text, e.g. `a••@example.com`: enough to compare with what a caller on the phone says.
 * Numbers become null.
 */
export function masked<T>(data: T): T {
  return maskedValue(data) as T;
}

function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value !== 'object' || value === null) return null;
  const fields = Object.entries(value).map(([name, field]) => {
    return [name, PUBLIC_FIELDS.includes(name) && typeof field === 'string' ? field : maskedValue(field)];
  });
  return Object.fromEntries(fields) as object;
}

/** A text that begins with a known part, which stays: `adal••@example.com`. */
export function maskedBeyond(known: string, text: string): string {
  if (known === '' || !text.startsWith(known)) return maskedText(text);
  if (known === text) return text;
  const at = text.lastIndexOf('@');
  return known.length === at ? text : `${known}${HIDDEN}${at < 0 ? '' : text.slice(at)}`;
}

function maskedText(text: string): string {
  if (text === '') return text;
  const at = text.lastIndexOf('@');
  return at < 0 ? masking(text) : masking(text.slice(0, at)) + text.slice(at);
}

/** The first character of a longer text. That of a telephone number tells nothing, so of one the last two digits stay. */
function masking(text: string): string {
  const isNumber = /^[+(\d][\d\s()./-]{5,}$/.test(text);
  if (isNumber) return HIDDEN + text.slice(-2);
  const [first = '', ...rest] = text;
  return rest.length === 0 ? HIDDEN : first + HIDDEN;
}
