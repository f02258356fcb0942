// A name may be one character of these.
const WITHOUT_BLANKS =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}々ー]+$/u;

/** Whether the text is in a script that puts no blanks between words, or whose names need none. */
export function isWithoutBlanks(text: string): boolean {
  return WITHOUT_BLANKS.test(text);
}

/** Whether a trimmed text is long enough to ask for orders: two characters, or one of a script without blanks. */
export function canBeAsked(text: string): boolean {
  return Array.from(text).length >= 2 || isWithoutBlanks(text);
}
