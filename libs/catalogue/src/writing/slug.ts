const LETTER_MARKS = /\p{Mark}/gu;

/** `beyonce-knowles` of `Beyoncé Knowles`; of a name without letters and digits, `none`. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(LETTER_MARKS, '')
    .toLowerCase()
    .replaceAll(/['’.]/g, '')
    .split(/[^\p{Letter}\p{Number}]+/u);
  return words.filter(Boolean).join('-') || 'none';
}

/** The part of a venue's web address after `/venues/`, which is how others name it. */
export function venueSlugIn(url: string | null | undefined): string | undefined {
  return /\/venues\/([^/?#]+)/.exec(url ?? '')?.[1];
}
