const LETTER_MARKS = /\p{Mark}/gu;
// What an index takes, in any writing.
const LONGEST = 200;

/** `beyonce-knowles` of `Beyoncé Knowles`; of a name without letters and digits, `none`. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(LETTER_MARKS, '')
    .toLowerCase()
    .replaceAll(/['’.]/g, '')
    .split(/[^\p{Letter}\p{Number}]+/u);
  const slug = words.filter(Boolean).join('-');
  // By characters: half of one has no UTF-8 form.
  return slug.length <= LONGEST ? slug || 'none' : Array.from(slug).slice(0, LONGEST).join('');
}

/** The part of a venue's web address after `/venues/`, which is how others name it. */
export function venueSlugIn(url: string | null | undefined): string | undefined {
  const slug = /\/venues\/([^/?#]+)/.exec(url ?? '')?.[1];
  return slug !== undefined && slug.length <= LONGEST ? slug : undefined;
}
