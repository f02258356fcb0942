const VOWEL = 'aeiou';

/** M. F. Porter's stemmer of 1980 for a lower-case English word: `games` and `game` have one stem, so have `comedy` and `comedies`. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return [plural, pastAndGerund, finalY, doubleSuffix, longSuffix, bareSuffix, finalE].reduce(
    (stemmed, step) => step(stemmed),
    word,
  );
}

function isConsonant(word: string, at: number): boolean {
  const letter = word[at];
  if (letter === undefined || VOWEL.includes(letter)) return false;
  return letter !== 'y' || at === 0 || !isConsonant(word, at - 1);
}

/** Porter's m: how often a vowel is followed by a consonant. */
function measure(word: string): number {
  let count = 0;
  for (let at = 1; at < word.length; at++) if (isConsonant(word, at) && !isConsonant(word, at - 1)) count++;
  return count;
}

const hasVowel = (word: string) => Array.from(word).some((_, at) => !isConsonant(word, at));

const endsDouble = (word: string) =>
  word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1);

/** Porter's *o: consonant, vowel, consonant other than w, x and y. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  const shape = isConsonant(word, last) && !isConsonant(word, last - 1) && isConsonant(word, last - 2);
  return last >= 2 && shape && !'wxy'.includes(word[last] ?? '');
}

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function pastAndGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = ['ed', 'ing'].find((end) => word.endsWith(end));
  if (suffix === undefined) return word;
  const left = word.slice(0, -suffix.length);
  if (!hasVowel(left)) return word;
  if (/(at|bl|iz)$/.test(left)) return `${left}e`;
  if (endsDouble(left) && !'lsz'.includes(left.at(-1) ?? '')) return left.slice(0, -1);
  return measure(left) === 1 && endsShort(left) ? `${left}e` : left;
}

const finalY = (word: string) => (word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word);

const DOUBLE: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
];
const doubleSuffix = (word: string) => replaced(word, DOUBLE);

const LONG: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const longSuffix = (word: string) => replaced(word, LONG);

function replaced(word: string, suffixes: readonly (readonly [string, string])[]): string {
  const found = suffixes.find(([end]) => word.endsWith(end));
  if (!found) return word;
  const left = word.slice(0, -found[0].length);
  return measure(left) > 0 ? left + found[1] : word;
}

const BARE = /(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou|(?<=[st])ion)$/;

function bareSuffix(word: string): string {
  const left = word.replace(BARE, '');
  return left !== word && measure(left) > 1 ? left : word;
}

function finalE(word: string): string {
  let left = word;
  if (left.endsWith('e')) {
    const shorter = left.slice(0, -1);
    const m = measure(shorter);
    if (m > 1 || (m === 1 && !endsShort(shorter))) left = shorter;
  }
  return left.endsWith('ll') && measure(left) > 1 ? left.slice(0, -1) : left;
}
