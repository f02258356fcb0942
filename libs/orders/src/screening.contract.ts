import { z } from 'zod';
import { DENIAL_REASONS } from '#domain/order-events';
import { instant, periodEnd } from '#web/instant.contract';
import { visibleName } from '#base/text';
import { OrderSummary } from './order.contract.js';
import { StoredCondition, StoredRuleCondition } from './order-condition.contract.js';
import { expectedListVersion } from '#web/read-only.contract';

const MOST = 100;
/** The score from which a purchase is held for review. */
export const HELD_FROM = 100;

const name = visibleName(100);
const id = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
  .optional()
  .meta({ description: 'made for a new one; a kept id keeps its history' });
const enabled = z.boolean().default(true);
const condition = z.record(z.string(), z.unknown());

const POLICY_ACTIONS = ['accept', 'deny'] as const;
const action = z.enum(POLICY_ACTIONS);
const reason = z.enum(DENIAL_REASONS).meta({ description: 'of a denial; `denied` without one' });
const score = z
  .int()
  .min(1)
  .max(HELD_FROM)
  .meta({ description: `purchases whose rules add up to ${HELD_FROM} are held; ${HELD_FROM} without one` });

/** The errors name the place: `policies.1.where.and[0].op`. */
const Policy = z.strictObject({
  id,
  name,
  action,
  reason: reason.nullish(),
  where: StoredCondition,
  enabled,
});

const FRAUD_ACTIONS = ['hold', 'reject'] as const;
const fraudAction = z.enum(FRAUD_ACTIONS).meta({
  description:
    '`reject`: the purchase ends as 3001 at once, whatever the scores, and no payment is asked for; `hold` without one',
});

const FraudRule = z.strictObject({
  id,
  name,
  where: StoredRuleCondition,
  score: score.nullish(),
  action: fraudAction.nullish(),
  enabled,
});

const LARGE = { field: 'total', op: '<', value: 200 };
const FAST = { field: 'email_orders_24h', op: '>=', value: 4 };

/** Body of PUT /backoffice/v1/policies. */
export const PoliciesBody = z
  .strictObject({
    version: expectedListVersion,
    policies: z.array(Policy).max(MOST).meta({ description: 'the first one that holds decides' }),
  })
  .superRefine(({ policies }, context) => {
    reportTwins(policies, 'policies', context);
    for (const [index, policy] of policies.entries()) {
      if (policy.action === 'deny' || !policy.reason) continue;
      const path = ['policies', index, 'reason'];
      context.issues.push({ code: 'custom', path, message: 'is only for a denial', input: policy.reason });
    }
  })
  .meta({
    id: 'PoliciesBody',
    example: { policies: [{ name: 'Accept small orders', action: 'accept', where: LARGE, enabled: true }] },
  });
export type PoliciesBody = z.output<typeof PoliciesBody>;

/** Body of PUT /backoffice/v1/fraud-rules. */
export const FraudRulesBody = z
  .strictObject({ version: expectedListVersion, rules: z.array(FraudRule).max(MOST) })
  .superRefine(({ rules }, context) => reportTwins(rules, 'rules', context))
  .meta({
    id: 'FraudRulesBody',
    example: { rules: [{ name: 'Many orders of one address', where: FAST, enabled: true }] },
  });
export type FraudRulesBody = z.output<typeof FraudRulesBody>;

function reportTwins(
  list: readonly Readonly<{ id?: string | undefined }>[],
  key: string,
  context: z.core.$RefinementCtx,
): void {
  const ids = list.map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    if (id === undefined || ids.indexOf(id) === index) continue;
    context.issues.push({ code: 'custom', path: [key, index, 'id'], message: 'is there twice', input: id });
  }
}

const period = {
  from: instant.optional().meta({ description: 'inclusive, by the time of placing. Without it: 30 days before `to`' }),
  to: periodEnd
    .optional()
    .meta({ description: 'exclusive, but a day without a time includes that whole day (UTC). Without it: now' }),
};

type Period = Readonly<{ from?: string | undefined; to?: string | undefined }>;
const endsLater = ({ from, to }: Period) => from === undefined || to === undefined || from < to;
const LATER = { path: ['to'], message: 'must be later than from' };

/** Body of POST /backoffice/v1/policies/dry-run. */
export const PolicyDryRunBody = z
  .strictObject({ policy: Policy.partial({ name: true, action: true }), ...period })
  .refine(endsLater, LATER)
  .meta({
    id: 'PolicyDryRunBody',
    example: { policy: { name: 'Accept small orders', action: 'accept', where: LARGE } },
  });
export type PolicyDryRunBody = z.output<typeof PolicyDryRunBody>;

/** Body of POST /backoffice/v1/fraud-rules/dry-run. */
export const FraudDryRunBody = z
  .strictObject({
    rule: FraudRule.partial({ name: true })
      .optional()
      .meta({ description: 'counts the purchases for which this rule fires. Or `rules`' }),
    rules: z
      .array(FraudRule.partial({ name: true }))
      .max(MOST)
      .optional()
      .meta({
        description: 'counts the purchases that these rules hold together; those that are not enabled do not count',
      }),
    ...period,
  })
  .refine(({ rule, rules }) => (rule === undefined) !== (rules === undefined), {
    path: ['rule'],
    message: 'must be given, or `rules`, but not both',
  })
  .refine(endsLater, LATER)
  .meta({ id: 'FraudDryRunBody', example: { rule: { name: 'Many orders of one address', where: FAST } } });
export type FraudDryRunBody = z.output<typeof FraudDryRunBody>;

const version = z.int().min(0).meta({ description: 'of the list, and its ETag; 0 before the first list' });

export const PolicyList = z
  .object({
    version,
    policies: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        action,
        reason: reason.optional(),
        where: condition,
        enabled: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'PolicyList' });
export type PolicyList = z.infer<typeof PolicyList>;

export const FraudRuleList = z
  .object({
    version,
    rules: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        where: condition,
        score: score.optional(),
        action: fraudAction.optional(),
        enabled: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'FraudRuleList' });
export type FraudRuleList = z.infer<typeof FraudRuleList>;

/** Answer of both dry runs. */
export const ScreeningDryRun = z
  .object({
    orders: z.int().min(0).meta({ description: 'how many orders it would have acted on' }),
    looked_at: z.int().min(0).meta({ description: 'how many purchases it has looked at' }),
    from: z.iso.datetime().meta({ description: 'the time from which it has looked at all purchases of the period' }),
    to: z.iso.datetime(),
    complete: z
      .boolean()
      .meta({ description: 'false: there were too many, so it has looked at the newest ones only, from `from` on' }),
    sample: z.array(OrderSummary).meta({ description: 'the newest of them, at most 10' }),
  })
  .meta({ id: 'ScreeningDryRun' });
export type ScreeningDryRun = z.infer<typeof ScreeningDryRun>;
