import type { MacroStep } from '#desk/macro.contract';
import { mailWords } from '../order/ticket-files/mail-words.js';
import { durationText } from '../words/durations.js';
import { macroWords as words } from './macro-words.js';

const MINUTE_S = 60;

/** What a step does, before it is done. */
export function sentenceOf(step: MacroStep): string {
  switch (step.type) {
    case 'tag':
      return words.tags(words.tag(step.add ?? []), words.tag(step.remove ?? []));
    case 'note':
      return step.visibility === 'partner' ? words.notePartner(step.text) : words.noteInternal(step.text);
    case 'mail':
      return words.mail(mailWords.kind[step.kind]);
    case 'snooze':
      return words.snooze(durationText(step.minutes * MINUTE_S));
    case 'assign_me':
      return words.assignMe;
  }
}
