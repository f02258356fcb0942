// Unicode does not decompose these letters, so removing the accents leaves them unchanged.
const UNDECOMPOSED: Readonly<Record<string, string>> = {
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

/** Lower case without accents; texts are compared in this form. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isPlain(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđðłþı]/g, (letter) => UNDECOMPOSED[letter] ?? letter);
}

/** `Guns N' Roses` gives guns, n, roses; `O’Brien` obrien; `P!nk` pnk; `ncaa_football` ncaa, football; `AC/DC` ac, dc. */
export function tokenize(text: string): string[] {
  return (
    fold(text)
      .replace(/['’‘`´]|(?<=[a-z])[!$](?=[a-z])|(?<=\b[a-z])\.(?=[a-z]\b)/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The tokens of the name, joined by spaces. */
export const nameKey = (text: string): string => tokenize(text).join(' ');
