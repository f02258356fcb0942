// Letters that are no base letter with a mark, so that taking the marks away does not make them plain.
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

/** A text as a name is looked up: its words without regard to what stands between them. */
export const nameKey = (text: string): string => tokenize(text).join(' ');
