import { z } from 'zod';
import { text, visibleName } from '#base/text';
import { MAIL_KINDS } from '#fulfilment/mail.contract';
import { LONGEST_NOTE } from '#orders/order.limits';
import { ErrorEntry } from '#web/error-body.contract';
import { LONGEST_MACRO_NAME, MOST_QUEUE_MINUTES } from './desk.limits.js';
import { eachTagOnce, tagChange } from './tag-change.contract.js';

const Tag = z.strictObject({ type: z.literal('tag'), ...tagChange }).check(...eachTagOnce);

const Note = z.strictObject({
  type: z.literal('note'),
  text: text(LONGEST_NOTE).trim().min(1),
  visibility: z
    .enum(['internal', 'partner'])
    .default('internal')
    .meta({ description: "`partner`: the brokers of the order's seller see it too" }),
});

const Mail = z.strictObject({
  type: z.literal('mail'),
  kind: z.enum(MAIL_KINDS).meta({ description: 'as in `POST …/orders/{id}/mails`' }),
});

const Snooze = z.strictObject({
  type: z.literal('snooze'),
  minutes: z.int().min(1).max(MOST_QUEUE_MINUTES).meta({ description: 'from when the macro is applied' }),
});

const AssignMe = z.strictObject({ type: z.literal('assign_me') });

/** One thing that a macro does to an order. */
export const MacroStep = z
  .discriminatedUnion('type', [Tag, Note, Mail, Snooze, AssignMe])
  .meta({ id: 'MacroStep', description: '`assign_me` gives the order to whoever applies the macro' });
export type MacroStep = z.output<typeof MacroStep>;
export type MacroStepType = MacroStep['type'];

const fields = {
  name: visibleName(LONGEST_MACRO_NAME),
  steps: z
    .array(MacroStep)
    .min(1)
    .refine((steps) => new Set(steps.map(({ type }) => type)).size === steps.length, 'has two steps of one type')
    .meta({ description: 'in the order in which they are done; each type at most once' }),
};

const EXAMPLE = {
  name: 'Sent tickets again, look tomorrow',
  steps: [
    { type: 'mail', kind: 'tickets' },
    { type: 'note', text: 'The buyer lost the tickets. Sent again.', visibility: 'internal' },
    { type: 'tag', add: ['sent again'] },
    { type: 'snooze', minutes: 1_440 },
  ],
};

/** Body of POST /backoffice/v1/macros. */
export const MacroBody = z.strictObject(fields).meta({ id: 'MacroBody', example: EXAMPLE });
export type MacroBody = z.output<typeof MacroBody>;

/** Body of PATCH /backoffice/v1/macros/{id}. */
export const MacroChange = z
  .strictObject({ name: fields.name.exactOptional(), steps: fields.steps.exactOptional() })
  .meta({ id: 'MacroChange', example: { name: EXAMPLE.name } });
export type MacroChange = z.output<typeof MacroChange>;

export const Macro = z.object({ id: z.string(), name: z.string(), steps: z.array(MacroStep) }).meta({ id: 'Macro' });
export type Macro = z.output<typeof Macro>;

export const MacroList = z.object({ macros: z.array(Macro) }).meta({ id: 'MacroList' });
export type MacroList = z.output<typeof MacroList>;

const MacroStepResult = z
  .object({
    type: z.string(),
    outcome: z.enum(['done', 'unchanged', 'refused', 'skipped']).meta({
      description: '`unchanged`: the order is so already; `skipped`: a step before was refused',
    }),
    errors: z.array(ErrorEntry).optional().meta({ description: 'why it was refused' }),
  })
  .meta({ id: 'MacroStepResult' });
export type MacroStepResult = z.output<typeof MacroStepResult>;

export const MacroResult = z
  .object({ steps: z.array(MacroStepResult).meta({ description: 'one for each step, in their order' }) })
  .meta({ id: 'MacroResult' });
export type MacroResult = z.output<typeof MacroResult>;
