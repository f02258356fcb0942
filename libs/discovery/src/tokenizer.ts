import { foldedText } from '#base/folded-text';

const isPlain = (text: string) => /^\p{ASCII}*$/u.test(text);

/** Lower case without accents and without any other marks of letters; texts are compared in this form. */
export function fold(text: string): string {
  const folded = foldedText(text);
  return isPlain(folded) ? folded : folded.normalize('NFKD').replace(/\p{M}/gu, '');
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
