// Unicode does not decompose these letters, so removing the accents leaves them as they are.
const UNMARKED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

const isPlain = (text: string) => /^\p{ASCII}*$/u.test(text);

/** Lower case without accents, as texts are compared. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isPlain(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđðłþı]/g, (letter) => UNMARKED[letter] ?? letter);
}

/**
 * The words of a text, folded: `Guns N' Roses` gives guns, n, roses; `O’Brien` gives obrien; `P!nk` pnk; `ncaa_football` ncaa, football;
 * `AC/DC` ac, dc; `los-angeles-dodgers` its three.
 */
export function tokenize(text: string): string[] {
  return (
    fold(text)
      .replace(/['’‘`´]|(?<=[a-z])[!$](?=[a-z])|(?<=\b[a-z])\.(?=[a-z]\b)/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The key under which a name is looked up: its tokens, joined by spaces. */
export const nameKey = (text: string): string => tokenize(text).join(' ');
