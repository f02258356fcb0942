import { z } from 'zod';

// PostgreSQL cannot store NUL, and a lone surrogate has no UTF-8 form.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Returns whether the text survives JSON, UTF-8 and PostgreSQL: well-formed Unicode without NUL. */
export function isStorableText(text: string): boolean {
  return !UNSTORABLE.test(text);
}

const VISIBLE = /^[^\p{C}]+$/u;
const mustBeVisible = (max: number) => `must be 1 to ${max} visible characters`;

/** Storable text of at most `max` UTF-16 code units. */
export function text(max: number) {
  return z.string().max(max).refine(isStorableText, 'must be well-formed Unicode without NUL');
}

/** Text of 1 to `max` visible characters. Blanks are visible. */
export function visibleText(max: number) {
  return text(max).regex(VISIBLE, mustBeVisible(max));
}

/** A name of 1 to `max` visible characters, without the blanks around it. Blanks alone would name nothing. */
export function visibleName(max: number) {
  return text(max).trim().regex(VISIBLE, mustBeVisible(max));
}
