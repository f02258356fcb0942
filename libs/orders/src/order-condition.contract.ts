import { z } from 'zod';
import { centsOf } from '#domain/money';
import { ACTORS, NEXT_ACTIONS } from '#domain/next-action';
import { STAGES } from '#domain/order-state';
import { withoutBlanks } from '#domain/tracking-number';
import { STATUS_VALUES } from '#domain/status';
import { dayAfter, instant } from '#web/instant.contract';
import { isStorableText } from '#base/text';

/** What an order can be found by, and how each field compares. */
const EXACT = ['=', '!=', 'in', 'is_null'] as const;
const TEXT = ['=', '!=', 'in', 'starts_with', 'is_null'] as const;
const RANGE = ['=', '!=', '<', '<=', '>', '>=', 'is_null'] as const;
const PERSONAL = ['=', 'in', 'is_null'] as const;

export const QUEUES = ['to_confirm', 'review', 'to_ship', 'to_deliver', 'exceptions', 'overdue'] as const;
const ORDER_FEATURES = ['parked_ping', 'note', 'replacement', 'refund', 'money_task'] as const;

/** A day without a time is the whole day, also here: `<=` includes it and `>` begins after it, both seen from the midnight that ends it. */
const DAY_BOUNDS: Partial<Record<ConditionOp, '<' | '>='>> = { '<=': '<', '>': '>=' };

const MAX_INT = 2 ** 31 - 1;
// A transaction id can be as long as the headers of a request: 16 KiB.
const LONGEST_TEXT = 16_384;
const MOST_VALUES = 200;
const MOST_CONDITIONS = 200;
const DEEPEST = 5;

const words = z.string('must be a text').min(1, 'must not be empty').max(LONGEST_TEXT, 'is too long');
const anyText = words.refine(isStorableText, 'must be well-formed Unicode without NUL');
const integer = z.int('must be an integer').min(-MAX_INT, 'is too small').max(MAX_INT, 'is too large');
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, `must be one of ${values.join(', ')}`);

const dollars = z.number('must be a number').transform((value, context) => {
  const cents = centsOf(value);
  if (cents === null) context.addIssue('must be an amount in dollars, to the cent');
  return cents ?? 0;
});

const yesOrNo = z.boolean('must be true or false');

export const ORDER_FIELDS = {
  status: { ops: EXACT, value: oneOf(STATUS_VALUES) },
  status_code: { ops: EXACT, value: integer },
  stage: { ops: EXACT, value: oneOf(STAGES) },
  queue: { ops: EXACT, value: oneOf(QUEUES) },
  next_action: { ops: EXACT, value: oneOf(NEXT_ACTIONS) },
  acts: { ops: EXACT, value: oneOf(ACTORS) },
  client_id: { ops: EXACT, value: anyText },
  assignee: { ops: EXACT, value: anyText },
  seller: { ops: EXACT, value: anyText },
  external_id: { ops: EXACT, value: anyText },
  speculative: { ops: EXACT, value: yesOrNo },
  variant: { ops: EXACT, value: oneOf(['payment', 'wholesale']) },
  id: { ops: TEXT, value: anyText },
  event_id: { ops: TEXT, value: anyText },
  listing_id: { ops: TEXT, value: anyText },
  ref_id: { ops: TEXT, value: anyText },
  transaction_id: { ops: TEXT, value: anyText },
  tracking_number: {
    ops: TEXT,
    value: anyText.overwrite(withoutBlanks).refine((number) => number !== '', 'must not be empty'),
  },
  card_last4: { ops: TEXT, value: anyText },
  placed_at: { ops: RANGE, value: instant },
  updated_at: { ops: RANGE, value: instant },
  due_at: { ops: RANGE, value: instant },
  quantity: { ops: RANGE, value: integer },
  total: { ops: RANGE, value: dollars },
  email: { ops: PERSONAL, value: anyText },
  phone: { ops: PERSONAL, value: anyText },
  last_name: { ops: PERSONAL, value: anyText },
  tag: { ops: ['=', 'in'], value: anyText },
  has: { ops: ['='], value: oneOf(ORDER_FEATURES) },
} as const;

export type OrderField = keyof typeof ORDER_FIELDS;

const COUNT = ['=', '!=', '<', '<=', '>', '>=', 'is_null'] as const;
const YES_OR_NO = ['=', '!='] as const;
const distance = z.number('must be a number').min(0, 'must not be negative').max(MAX_INT, 'is too large');

/** What fraud rules know of a purchase besides the fields of a search. */
const FRAUD_FIELDS = {
  email_orders_24h: { ops: COUNT, value: integer },
  address_orders_24h: { ops: COUNT, value: integer },
  card_orders_24h: { ops: COUNT, value: integer },
  distance_km: { ops: COUNT, value: distance },
  disposable_email: { ops: YES_OR_NO, value: yesOrNo },
  first_order: { ops: YES_OR_NO, value: yesOrNo },
} as const;

export type FraudField = keyof typeof FRAUD_FIELDS;
export type RuleField = OrderField | FraudField;

type ConditionOp = (typeof TEXT | typeof RANGE)[number];
type ConditionValue = string | number | boolean;

/** A comparison whose value has the type of its field. Amounts are in cents, times ISO 8601 in UTC. */
export type FieldCondition<F extends RuleField = OrderField> = Readonly<
  | { field: F; op: Exclude<ConditionOp, 'in' | 'is_null'>; value: ConditionValue }
  | { field: F; op: 'in'; value: readonly ConditionValue[] }
  /** False: the field is not null. */
  | { field: F; op: 'is_null'; value: boolean }
>;

export type ParsedCondition<F extends RuleField = OrderField> =
  | Readonly<{ and: readonly ParsedCondition<F>[] }>
  | Readonly<{ or: readonly ParsedCondition<F>[] }>
  | Readonly<{ not: ParsedCondition<F> }>
  | FieldCondition<F>;

/** A condition of a fraud rule. */
export type RuleCondition = ParsedCondition<RuleField>;

/** The fields that need `orders:act`: they tell who the buyer is. */
const PERSONAL_FIELDS = ['email', 'phone', 'last_name'] as const satisfies readonly OrderField[];
export type PersonalField = (typeof PERSONAL_FIELDS)[number];

export function isPersonalField(field: RuleField): field is PersonalField {
  return (PERSONAL_FIELDS as readonly RuleField[]).includes(field);
}

export function isFraudField(field: RuleField): field is FraudField {
  return Object.hasOwn(FRAUD_FIELDS, field);
}

/** All comparisons of a condition. */
export function comparisonsOf<F extends RuleField>(condition: ParsedCondition<F>): FieldCondition<F>[] {
  if ('and' in condition) return condition.and.flatMap((one) => comparisonsOf(one));
  if ('or' in condition) return condition.or.flatMap((one) => comparisonsOf(one));
  return 'not' in condition ? comparisonsOf(condition.not) : [condition];
}

type KnownFields<F extends RuleField> = Readonly<
  Record<F, Readonly<{ ops: readonly ConditionOp[]; value: z.ZodType }>>
>;

type Report = (path: string, message: string) => undefined;

/** Reads a condition. `path` names a part as clients write it, e.g. `.and[1].op`. */
class ConditionReader<F extends RuleField> {
  private read = 0;

  constructor(
    private readonly fields: KnownFields<F>,
    private readonly report: Report,
  ) {}

  condition(value: unknown, path: string, depth: number): ParsedCondition<F> | undefined {
    if (!isObject(value)) return this.report(path, 'must be a condition');
    if ((this.read += 1) > MOST_CONDITIONS) return this.report(path, `has more than ${MOST_CONDITIONS} conditions`);
    const group = (['and', 'or', 'not'] as const).find((key) => key in value);
    if (!group) return this.comparison(value, path);
    if (this.hasOthers(value, [group], path)) return undefined;
    const inner = `${path}.${group}`;
    if (depth === DEEPEST) return this.report(inner, `is nested more than ${DEEPEST} deep`);
    if (group === 'not') {
      const not = this.condition(value[group], inner, depth + 1);
      return not && { not };
    }
    const parts = value[group];
    if (!Array.isArray(parts) || parts.length === 0) return this.report(inner, 'must be a list of conditions');
    const conditions: ParsedCondition<F>[] = [];
    for (const [index, part] of parts.entries()) {
      const read = this.condition(part, `${inner}[${index}]`, depth + 1);
      if (!read) return undefined;
      conditions.push(read);
    }
    return group === 'and' ? { and: conditions } : { or: conditions };
  }

  private comparison(value: Record<string, unknown>, path: string): FieldCondition<F> | undefined {
    if (this.hasOthers(value, ['field', 'op', 'value'], path)) return undefined;
    const { field, op } = value;
    if (!this.isField(field)) {
      return this.report(`${path}.field`, `must be one of ${Object.keys(this.fields).join(', ')}`);
    }
    const { ops } = this.fields[field];
    if (!(ops as readonly unknown[]).includes(op)) return this.report(`${path}.op`, `must be one of ${ops.join(' ')}`);
    return this.withValue(field, op as ConditionOp, value['value'], `${path}.value`);
  }

  private withValue(field: F, op: ConditionOp, value: unknown, path: string): FieldCondition<F> | undefined {
    if (op === 'is_null') {
      const isNull = value ?? true;
      if (typeof isNull !== 'boolean') return this.report(path, 'must be true or false');
      return { field, op, value: isNull };
    }
    if (op !== 'in') {
      const isWholeDay = this.fields[field].value === instant && dayAfter(value) !== value;
      const bound = isWholeDay ? DAY_BOUNDS[op] : undefined;
      const read = this.value(field, bound ? dayAfter(value) : value, path);
      return read === undefined ? undefined : { field, op: bound ?? op, value: read };
    }
    if (!Array.isArray(value) || value.length === 0 || value.length > MOST_VALUES) {
      return this.report(path, `must be a list of 1 to ${MOST_VALUES} values`);
    }
    const values: ConditionValue[] = [];
    for (const [index, one] of value.entries()) {
      const read = this.value(field, one, `${path}[${index}]`);
      if (read === undefined) return undefined;
      values.push(read);
    }
    return { field, op, value: values };
  }

  private value(field: F, value: unknown, path: string): ConditionValue | undefined {
    const { data, error } = this.fields[field].value.safeParse(value);
    return error ? this.report(path, error.issues[0]?.message ?? 'is invalid') : (data as ConditionValue);
  }

  private isField(field: unknown): field is F {
    return typeof field === 'string' && Object.hasOwn(this.fields, field);
  }

  private hasOthers(value: Record<string, unknown>, known: readonly string[], path: string): boolean {
    const other = Object.keys(value).find((key) => !known.includes(key));
    if (other === undefined) return false;
    this.report(`${path}.${other.slice(0, 50)}`, `is not known beside ${known.join(', ')}`);
    return true;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const REFERENCE = { $ref: '#/components/schemas/OrderCondition' };
const group = (key: string, description: string) => ({
  type: 'object',
  description,
  required: [key],
  additionalProperties: false,
  properties: { [key]: key === 'not' ? REFERENCE : { type: 'array', minItems: 1, items: REFERENCE } },
});

const DOCUMENT = {
  id: 'OrderCondition',
  description: `A comparison, or \`and\`, \`or\` and \`not\` of conditions, at most ${DEEPEST} inside each other. A null meets \`is_null\` and \`!=\`; \`not\` is the complement.`,
  oneOf: [
    {
      type: 'object',
      required: ['field', 'op'],
      additionalProperties: false,
      properties: {
        field: { type: 'string', enum: Object.keys(ORDER_FIELDS) },
        op: { type: 'string', enum: [...new Set([...TEXT, ...RANGE])] },
        value: {
          description:
            'a list for `in`; for `is_null` true (as without it) or false; dollars for `total`. `<=` a day without a time includes that day (UTC), `>` begins after it',
          oneOf: [
            { type: ['string', 'number', 'boolean', 'null'] },
            { type: 'array', minItems: 1, maxItems: MOST_VALUES, items: { type: ['string', 'number', 'boolean'] } },
          ],
        },
      },
    },
    group('and', 'all hold'),
    group('or', 'at least one holds'),
    group('not', 'it does not hold'),
  ],
};

const ALL_FIELDS = { ...ORDER_FIELDS, ...FRAUD_FIELDS } as const;

function readerOf<F extends RuleField>(fields: KnownFields<F>) {
  return (value: unknown, context: z.core.$RefinementCtx): ParsedCondition<F> => {
    const report: Report = (path, message) => {
      // One path segment, because paths are joined by dots and list places are written in brackets.
      const place = path.slice(1);
      context.issues.push({ code: 'custom', message, input: value, path: place === '' ? [] : [place] });
    };
    return new ConditionReader(fields, report).condition(value, '', 0) ?? { and: [] };
  };
}

const readCondition = readerOf<OrderField>(ORDER_FIELDS);
const readRuleCondition = readerOf<RuleField>(ALL_FIELDS);

/** A condition on orders. Its errors name the place as a client writes it: `where.and[1].op`. */
export const OrderCondition = z.unknown().transform(readCondition).meta(DOCUMENT);

/** A condition that is stored as it was sent, after validation. */
export const StoredCondition = stored(readCondition, 'an `OrderCondition`');

/** The same for a fraud rule. */
export const StoredRuleCondition = stored(
  readRuleCondition,
  'an `OrderCondition` on the purchase as it comes in. Further fields: `email_orders_24h`, `address_orders_24h`, ' +
    '`card_orders_24h` (how many purchases of the last 24 hours have the same e-mail address, delivery or billing address, ' +
    'or card, this one included), `distance_km` (the longest way between the billing address, the delivery address and the ' +
    'buyer; null where fewer than two of them are known), `disposable_email` and `first_order` (no earlier purchase with this ' +
    'e-mail address), both true or false',
);

function stored(read: (value: unknown, context: z.core.$RefinementCtx) => unknown, description: string) {
  return z
    .unknown()
    .transform((value, context) => {
      read(value, context);
      return value as Readonly<Record<string, unknown>>;
    })
    .meta({ description });
}

const RuleConditionReading = z.unknown().transform(readRuleCondition);

/** Reads a stored condition, which was validated before it was stored. */
export function storedCondition(value: Readonly<Record<string, unknown>>): ParsedCondition {
  return OrderCondition.parse(value);
}

/** The same for the condition of a fraud rule. */
export function storedRuleCondition(value: Readonly<Record<string, unknown>>): RuleCondition {
  return RuleConditionReading.parse(value);
}
