import { z } from 'zod';
import { text } from '#base/text';
import { instant, periodEnd } from '#web/instant.contract';

/** An answer shows so many differences. All have a task. */
export const MOST_SHOWN = 1_000;

const DIFFERENCE_KINDS = ['missing_here', 'missing_there', 'amount', 'twice', 'fee', 'currency', 'state'] as const;

const LONGEST = 200;
const LONGEST_DAYS = 366;
const DAY_MS = 86_400_000;

const time = z.iso.datetime();
const side = z.union([z.number(), z.string()]).nullable();
const id = z.string();
const state = z.enum(['running', 'done', 'failed']);
const begins = instant.meta({ description: 'inclusive, by the time at which the provider made a line' });
type Period = Readonly<{ from?: string | undefined; to?: string | undefined }>;
const inOrder = ({ from, to }: Period): boolean => from === undefined || to === undefined || from < to;
const isShort = ({ from, to }: Period): boolean =>
  from === undefined || to === undefined || Date.parse(to) - Date.parse(from) <= LONGEST_DAYS * DAY_MS;
const OUT_OF_ORDER = { path: ['to'], error: 'must be later than from' };
const TOO_LONG = { path: ['to'], error: `must be at most ${LONGEST_DAYS} days after from` };

/** Body of POST /backoffice/v1/reconciliations as JSON: the list of a payment provider. A period is at most a year. */
export const NewReconciliation = z
  .strictObject({
    provider: text(LONGEST).min(1).meta({ description: 'one that is configured' }),
    from: begins,
    to: instant.meta({ description: 'exclusive' }),
  })
  .refine(inOrder, OUT_OF_ORDER)
  .refine(isShort, TOO_LONG)
  .meta({
    id: 'NewReconciliation',
    example: { provider: 'stripe', from: '2026-11-01', to: '2026-12-01' },
  });
export type NewReconciliation = z.output<typeof NewReconciliation>;

/** Query of POST /backoffice/v1/reconciliations with a CSV body: what a wholesale client paid. */
export const RemittanceQuery = z
  .strictObject({
    client_id: text(LONGEST).min(1).meta({ description: 'the client that paid' }),
    from: instant.optional().meta({
      description: 'orders since then that are not in the file, and not paid, differ as `missing_there`',
    }),
    to: periodEnd.optional().meta({ description: 'exclusive, but a day without a time includes that whole day (UTC)' }),
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    path: ['to'],
    error: 'give both from and to, or neither',
  })
  .refine(inOrder, OUT_OF_ORDER)
  .refine(isShort, TOO_LONG);
export type RemittanceQuery = z.output<typeof RemittanceQuery>;

export const BegunReconciliation = z.object({ id, state }).meta({ id: 'BegunReconciliation' });
export type BegunReconciliation = z.infer<typeof BegunReconciliation>;

const Difference = z
  .object({
    kind: z.enum(DIFFERENCE_KINDS).meta({
      description:
        'missing_here: they have it, we do not; missing_there: the reverse; twice: the same thing more than once in their list; fee: their list differs from what they reported with the charge',
    }),
    order_id: z.string().nullable(),
    reference: z.string().nullable().meta({
      description: "the provider's id of the payment, refund, dispute, fee or payout; `ref_id` of a remittance",
    }),
    ours: side.meta({ description: 'an amount, negative for money that left; a text for `state` and `currency`' }),
    theirs: side,
  })
  .meta({ id: 'Difference' });
export type Difference = z.infer<typeof Difference>;

const SUMMARY = {
  id,
  provider: z.string().nullable().meta({ description: 'null for what a client paid' }),
  client_id: z.string().nullable().meta({ description: 'null for the list of a payment provider' }),
  from: time.nullable(),
  to: time.nullable(),
  state,
  as_of: time.nullable().meta({ description: 'when their list was read to its end; null until then' }),
  matched: z.int().meta({ description: 'the number of things that agree' }),
  differing: z.int().meta({ description: 'the number of differences' }),
  error: z.string().nullable().meta({ description: 'why it failed' }),
  created_at: time,
};

export const Reconciliation = z
  .object({
    ...SUMMARY,
    differences: z.array(Difference).meta({ description: `the first ${MOST_SHOWN}; all have a task` }),
  })
  .meta({ id: 'Reconciliation' });
export type Reconciliation = z.infer<typeof Reconciliation>;

export const ReconciliationList = z
  .object({ reconciliations: z.array(z.object(SUMMARY)), next_cursor: z.string().nullable() })
  .meta({ id: 'ReconciliationList' });
export type ReconciliationList = z.infer<typeof ReconciliationList>;

export const ReconciliationQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: text(LONGEST).optional(),
});
export type ReconciliationQuery = z.output<typeof ReconciliationQuery>;
