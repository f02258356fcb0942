// As in the contract of the search: names of these scripts may be one character.
const WITHOUT_BLANKS =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}々ー]+$/u;

/** Whether the server searches for this trimmed text: two characters, or one of a script without blanks. */
export function canBeAsked(text: string): boolean {
  return Array.from(text).length >= 2 || WITHOUT_BLANKS.test(text);
}
