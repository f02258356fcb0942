import { isObject } from '../api/is-object.js';
import { isKeyOf } from '../api/keys-of.js';
import type { OrderCondition } from '../api/orders.js';
import { dayAfter, dayOf, midnightOf } from '../words/time-zone.js';

export type FieldKind = 'choice' | 'yes_no' | 'text' | 'time' | 'number' | 'personal';

/** What an order can be filtered by, in the order of the menu. `personal` needs `orders:act`. */
export const FILTER_FIELDS = {
  status: { kind: 'choice', options: ['pending', 'confirmed', 'rejected', 'exception'] },
  queue: { kind: 'choice', options: ['to_confirm', 'review', 'to_ship', 'to_deliver', 'exceptions', 'overdue'] },
  placed_at: { kind: 'time' },
  event_id: { kind: 'text' },
  total: { kind: 'number' },
  quantity: { kind: 'number' },
  has: { kind: 'choice', options: ['parked_ping', 'note', 'replacement', 'refund', 'money_task'] },
  status_code: { kind: 'number' },
  updated_at: { kind: 'time' },
  due_at: { kind: 'time' },
  listing_id: { kind: 'text' },
  ref_id: { kind: 'text' },
  client_id: { kind: 'text' },
  seller: { kind: 'text' },
  external_id: { kind: 'text' },
  speculative: { kind: 'yes_no', options: ['true', 'false'] },
  assignee: { kind: 'text' },
  tag: { kind: 'text' },
  tracking_number: { kind: 'text' },
  transaction_id: { kind: 'text' },
  card_last4: { kind: 'text' },
  variant: { kind: 'choice', options: ['payment', 'wholesale'] },
  stage: { kind: 'choice', options: ['placed', 'declined', 'failed'] },
  email: { kind: 'personal' },
  phone: { kind: 'personal' },
  last_name: { kind: 'personal' },
  id: { kind: 'text' },
} as const satisfies Record<string, { kind: FieldKind; options?: readonly string[] }>;

export type FilterField = keyof typeof FILTER_FIELDS;

export const isFilterField = (text: string): text is FilterField => isKeyOf(FILTER_FIELDS, text);

/** What staff record for each other: brokers may not ask for it. */
export const STAFF_FIELDS: readonly FilterField[] = ['assignee', 'tag'];
export type Filter = Readonly<{ field: FilterField; op: FilterOp; values: readonly string[] }>;

/** How an operator is written in an address: `total=gte:100`. The others have no prefix: `status=pending,confirmed`. */
const PREFIXES = { ne: '!=', lt: '<', lte: '<=', gt: '>', gte: '>=', starts: 'starts_with', is: 'is_null' } as const;
export type FilterOp = '=' | 'in' | (typeof PREFIXES)[keyof typeof PREFIXES];

const OPS: readonly FilterOp[] = ['=', 'in', ...Object.values(PREFIXES)];

export const opNamed = (text: unknown): FilterOp | undefined => OPS.find((op) => op === text);

const NONE = 'none';
const DAY = /^-?\d{1,4}d$/;

/** The operators that the menu offers. Those of `has` and `tag` are fewer in the contract. */
export function opsOf(field: FilterField): readonly FilterOp[] {
  if (field === 'has') return ['='];
  if (field === 'tag') return ['in'];
  const { kind } = FILTER_FIELDS[field];
  if (kind === 'time' || kind === 'number') return ['>=', '<=', '=', '!=', 'is_null'];
  if (kind === 'personal') return ['in'];
  if (kind === 'yes_no') return ['='];
  return kind === 'choice' || NO_PREFIX_SEARCH.includes(field)
    ? ['in', '!=', 'is_null']
    : ['in', 'starts_with', '!=', 'is_null'];
}

/** Whether an order has one value of the field, and a filter may name several. Two tags of an order are no contradiction. */
export function hasOneOfSeveral(field: FilterField): boolean {
  const { kind } = FILTER_FIELDS[field];
  return field !== 'has' && field !== 'tag' && kind !== 'time' && kind !== 'number' && kind !== 'yes_no';
}

const NO_PREFIX_SEARCH: readonly string[] = ['client_id', 'seller', 'external_id', 'assignee'];

export function parseFilter(field: FilterField, text: string): Filter {
  const [, prefix = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? [];
  if (isKeyOf(PREFIXES, prefix)) return { field, op: PREFIXES[prefix], values: [rest] };
  const values = text.split(',').filter((value) => value !== '');
  return { field, op: values.length > 1 ? 'in' : '=', values };
}

export function filterText({ op, values }: Filter): string {
  const prefix = Object.entries(PREFIXES).find(([, one]) => one === op)?.[0];
  return prefix === undefined ? values.join(',') : `${prefix}:${values[0] ?? ''}`;
}

function conditionOf(filter: Filter, now: Date): OrderCondition {
  const { field, op, values } = filter;
  if (op === 'is_null') return { field, op, value: values[0] === NONE };
  const typed = values.map((value) => typedValue(field, value, now));
  if (op === 'in' || (op === '=' && typed.length > 1))
    return { field, op: typed.length === 1 ? '=' : 'in', value: typed.length === 1 ? (typed[0] ?? '') : typed };
  return { field, op, value: typed[0] ?? '' };
}

/** Whether the search takes it, as far as its fields and operators say. */
export function isOrderCondition(value: unknown): value is OrderCondition {
  if (!isObject(value)) return false;
  const { and, or, not, field, op } = value;
  const parts = and ?? or;
  if (parts !== undefined) return Array.isArray(parts) && parts.every(isOrderCondition);
  if (not !== undefined) return isOrderCondition(not);
  return typeof field === 'string' && isFilterField(field) && opNamed(op) !== undefined;
}

/** All filters together; undefined without one. */
export function whereOf(filters: readonly Filter[], now: Date): OrderCondition | undefined {
  const conditions = filters.map((filter) => conditionOf(filter, now));
  return conditions.length > 1 ? { and: conditions } : conditions[0];
}

function typedValue(field: FilterField, value: string, now: Date): string | number | boolean {
  const { kind } = FILTER_FIELDS[field];
  if (kind === 'number') return Number(value);
  if (kind === 'yes_no') return value === 'true';
  return kind === 'time' ? instantOf(value, now) : value;
}

/** `-7d` is midnight of that day by the reader's clock, and a date is its midnight. Anything else stays as it is. */
function instantOf(value: string, now: Date): string {
  if (DAY.test(value)) return midnightOf(dayAfter(dayOf(now), Number(value.slice(0, -1)))).toISOString();
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return midnightOf(value).toISOString();
  return value;
}
