import { isObject } from '../api/is-object.js';
import { FILTER_FIELDS, type FilterField, isFilterField, opsOf } from '../orders/order-condition.js';
import type { fraudFieldNames } from './screening-words.js';
import { isKeyOf, keysOf } from '../api/keys-of.js';

export type RuleField = FilterField | keyof typeof fraudFieldNames;
type Condition = Readonly<Record<string, unknown>>;

/** A comparison as it stands in the form. */
export type ConditionRow = Readonly<{ field: RuleField; op: string; value: string }>;

export type ConditionRows = Readonly<{ join: 'and' | 'or'; rows: readonly ConditionRow[] }>;

type Kind = 'choice' | 'text' | 'time' | 'number' | 'personal' | 'count' | 'yes_no';

const FRAUD_KINDS: Readonly<Record<keyof typeof fraudFieldNames, Kind>> = {
  email_orders_24h: 'count',
  address_orders_24h: 'count',
  card_orders_24h: 'count',
  distance_km: 'count',
  disposable_email: 'yes_no',
  first_order: 'yes_no',
};

/** What the form offers for policies. An order that begins to wait has none of the others yet. */
const POLICY_FIELDS: readonly FilterField[] = [
  'total',
  'quantity',
  'event_id',
  'listing_id',
  'seller',
  'external_id',
  'speculative',
  'client_id',
  'variant',
  'ref_id',
  'card_last4',
  'email',
  'phone',
  'last_name',
  'placed_at',
];

export const FIELDS: Readonly<Record<'policies' | 'fraud', readonly RuleField[]>> = {
  policies: POLICY_FIELDS,
  fraud: [...keysOf(FRAUD_KINDS), ...POLICY_FIELDS],
};

export function kindOf(field: RuleField): Kind {
  return isFraud(field) ? FRAUD_KINDS[field] : FILTER_FIELDS[field].kind;
}

export function ruleOpsOf(field: RuleField): readonly string[] {
  if (!isFraud(field)) return opsOf(field);
  return FRAUD_KINDS[field] === 'yes_no' ? ['='] : ['>=', '<=', '=', '!=', 'is_null'];
}

function isFraud(field: string): field is keyof typeof FRAUD_KINDS {
  return isKeyOf(FRAUD_KINDS, field);
}

/** Undefined for a condition that rows cannot show: groups inside groups, and `not`. */
export function rowsOf(where: Condition): ConditionRows | undefined {
  const [join, parts] = Array.isArray(where['and'])
    ? (['and', where['and']] as const)
    : Array.isArray(where['or'])
      ? (['or', where['or']] as const)
      : (['and', [where]] as const);
  const rows = parts.map((part: unknown) => (isObject(part) ? rowOf(part) : undefined));
  return rows.every((row) => row !== undefined) ? { join, rows } : undefined;
}

function rowOf({ field, op, value }: Condition): ConditionRow | undefined {
  if (typeof field !== 'string' || typeof op !== 'string') return undefined;
  if (!isFraud(field) && !isFilterField(field)) return undefined;
  const offered = op === '=' && !ruleOpsOf(field).includes('=') ? 'in' : op;
  if (!ruleOpsOf(field).includes(offered)) return undefined;
  if (op === 'is_null') return { field, op, value: value === false ? 'false' : 'true' };
  return { field, op: offered, value: [value].flat().join(', ') };
}

/** As the API takes it. */
export function conditionOf({ join, rows }: ConditionRows): Condition {
  const [only] = rows;
  return only && rows.length === 1 ? comparisonOf(only) : { [join]: rows.map((row) => comparisonOf(row)) };
}

function comparisonOf({ field, op, value }: ConditionRow): Condition {
  if (op === 'is_null') return { field, op, value: value !== 'false' };
  if (op !== 'in') return { field, op, value: typed(field, value.trim()) };
  const values = value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return values.length === 1 ? { field, op: '=', value: values[0] } : { field, op, value: values };
}

function typed(field: RuleField, value: string): unknown {
  const kind = kindOf(field);
  // Without a number the API names the field.
  if (kind === 'number' || kind === 'count') return value === '' || Number.isNaN(Number(value)) ? value : Number(value);
  return kind === 'yes_no' ? value !== 'false' : value;
}
