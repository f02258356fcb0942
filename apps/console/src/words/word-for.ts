/** The word for a name that the server or an address gives. Undefined if there is none: the server may know more names than the page. */
export const wordFor = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined;
