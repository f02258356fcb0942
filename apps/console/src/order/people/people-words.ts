const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The given name, and the initial of the last one. */
function shortName(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return last === undefined ? name : `${words[0] ?? ''} ${last.charAt(0)}.`;
}

export const peopleWords = {
  /** @param names in full */
  here: (names: readonly string[], hasStaff: boolean) => {
    const all = [...names.map(shortName), ...(hasStaff ? ['staff'] : [])];
    const text = `${list.format(all)} ${all.length === 1 ? 'is' : 'are'} here`;
    return text.charAt(0).toUpperCase() + text.slice(1);
  },
  hereHint: 'Who has this order open now, too',
  mentions: 'People to mention',
  found: (count: number) =>
    count === 1 ? '1 person. Enter mentions them.' : `${count} people. Choose with the arrow keys.`,
  broker: 'broker',
} as const;
