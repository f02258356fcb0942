const LETTER_MARKS = /\p{Mark}/gu;
// Fits into an index entry in any script.
const LONGEST = 200;

/** Turns `Beyoncé Knowles` into `beyonce-knowles`; a name without letters and digits becomes `none`. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(LETTER_MARKS, '')
    .toLowerCase()
    .replaceAll(/['’.]/g, '')
    .split(/[^\p{Letter}\p{Number}]+/u);
  const slug = words.filter(Boolean).join('-');
  // Cut by code points: half a surrogate pair has no UTF-8 form.
  return slug.length <= LONGEST ? slug || 'none' : Array.from(slug).slice(0, LONGEST).join('');
}

/** The part of a venue URL after `/venues/`, by which other services know it. */
export function venueSlugIn(url: string | null | undefined): string | undefined {
  const slug = /\/venues\/([^/?#]+)/.exec(url ?? '')?.[1];
  return slug !== undefined && slug.length <= LONGEST ? slug : undefined;
}
