import { lettersOf } from './buyer-folding.js';

/** Fewer letters are those of too many people. A start of four characters has as many, unless two of them are punctuation. */
const FEWEST_LETTERS = 3;
/** What comes after so many is not compared. */
const MOST_LETTERS = 24;
// Of 100,000 buyers, a longer start meets a wrong one once in some thousand searches.
const FIRST_BYTES = 4;
const NEXT_BYTES = 2;

/**
 * How the name in an e-mail address begins, sealed: a digest of its first three letters, and after it a shorter one for each further letter, of
 * all letters up to there. The starts of an address are thus the starts of these bytes, so one column and one index find it by any of them: 22
 * bytes for a name of 12 letters, and at most once more in the index. A digest of 8 bytes for each start would take 120 in the row, and an entry
 * of an index each.
 * Empty if the name is too short.
 * @param digest keyed, at least 4 bytes
 */
export function emailStart(name: string, digest: (start: string) => Buffer): Buffer {
  const letters = Array.from(lettersOf(name)).slice(0, MOST_LETTERS);
  const parts: Buffer[] = [];
  for (let length = FEWEST_LETTERS; length <= letters.length; length += 1) {
    const bytes = length === FEWEST_LETTERS ? FIRST_BYTES : NEXT_BYTES;
    parts.push(digest(letters.slice(0, length).join('')).subarray(0, bytes));
  }
  return Buffer.concat(parts);
}

/** All that an address with this start is found by. */
export function partsOfStart(start: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let end = FIRST_BYTES; end <= start.length; end += NEXT_BYTES) parts.push(start.subarray(0, end));
  return parts;
}

/** The first bytes after all that begin with these. */
export function afterStart(start: Buffer): Buffer {
  const kept = start.length - (/(?:ff)*$/.exec(start.toString('hex'))?.[0].length ?? 0) / 2;
  const end = Buffer.from(start.subarray(0, kept));
  if (kept > 0) end[kept - 1]! += 1;
  return end;
}

/** What is before the `@`. */
export function nameIn(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? address : address.slice(0, at);
}
