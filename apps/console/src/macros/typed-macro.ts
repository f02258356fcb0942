import type { Macro, MacroStep } from '#desk/macro.contract';
import { MOST_QUEUE_MINUTES } from '#desk/desk.limits';
import type { OrderMail } from '#fulfilment/mail.contract';
import { tagsIn } from '../words/tags-in.js';

/** A macro as a form has it. What is empty is no step. */
export type TypedMacro = Readonly<{
  name: string;
  mail: OrderMail['kind'] | '';
  minutes: string;
  tags: Readonly<{ add: string; remove: string }>;
  note: string;
  isForBrokers: boolean;
  assigns: boolean;
}>;

const NEW: TypedMacro = {
  name: '',
  mail: '',
  minutes: '',
  tags: { add: '', remove: '' },
  note: '',
  isForBrokers: false,
  assigns: false,
};

export function typedOf(macro: Macro | undefined): TypedMacro {
  return (macro?.steps ?? []).reduce((typed, step) => ({ ...typed, ...typedStep(step) }), {
    ...NEW,
    name: macro?.name ?? '',
  });
}

function typedStep(step: MacroStep): Partial<TypedMacro> {
  switch (step.type) {
    case 'tag':
      return { tags: { add: (step.add ?? []).join(', '), remove: (step.remove ?? []).join(', ') } };
    case 'note':
      return { note: step.text, isForBrokers: step.visibility === 'partner' };
    case 'mail':
      return { mail: step.kind };
    case 'snooze':
      return { minutes: String(step.minutes) };
    case 'assign_me':
      return { assigns: true };
  }
}

export const areMinutes = (text: string): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MOST_QUEUE_MINUTES;

/**
 * The steps of the form. Those that can be refused come first, so that nothing is half done then; a macro that has them in another
 * order keeps it.
 */
export function stepsOf(typed: TypedMacro, before: readonly MacroStep[]): MacroStep[] {
  const [add, remove] = [tagsIn(typed.tags.add), tagsIn(typed.tags.remove)];
  const steps: readonly (MacroStep | false)[] = [
    typed.mail !== '' && { type: 'mail', kind: typed.mail },
    areMinutes(typed.minutes) && { type: 'snooze', minutes: Number(typed.minutes) },
    add.length + remove.length > 0 && {
      type: 'tag',
      ...(add.length > 0 && { add }),
      ...(remove.length > 0 && { remove }),
    },
    typed.note.trim() !== '' && {
      type: 'note',
      text: typed.note.trim(),
      visibility: typed.isForBrokers ? 'partner' : 'internal',
    },
    typed.assigns && { type: 'assign_me' },
  ];
  const place = ({ type }: MacroStep) => {
    const known = before.findIndex((step) => step.type === type);
    return known < 0 ? before.length : known;
  };
  return steps.filter((step) => step !== false).toSorted((a, b) => place(a) - place(b));
}
