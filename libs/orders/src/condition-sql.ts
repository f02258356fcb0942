import type { FieldCondition, OrderField, ParsedCondition, PersonalField } from './order-condition.contract.js';
import { isPersonalField } from './order-condition.contract.js';
import { DIGEST_COLUMNS, hasDigest, type WantedDigests } from './digest-columns.js';

/** The values of a statement's parameters. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Returns the placeholder of the value. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** What the SQL of a condition depends on besides the condition. */
export type ConditionContext = Readonly<{
  /** ISO 8601: an order to confirm is overdue from its deadline on. */
  now: string;
  /** Only notes that brokers see count as notes. */
  partnerNotesOnly: boolean;
  /** The digests that the value may be stored as; empty if it has nothing to be found by. */
  digests: (field: PersonalField, value: string) => readonly Buffer[];
}>;

type PlainField = Exclude<OrderField, PersonalField | 'queue' | 'due_at' | 'tag' | 'has'>;

/** The expression of a field over a row `o` of table `orders`, and the type of its values. */
const COLUMNS: Readonly<Record<PlainField, Readonly<{ sql: string; type: string; nullable?: true }>>> = {
  status: { sql: 'o.status', type: 'text', nullable: true },
  status_code: { sql: 'o.status_code', type: 'int', nullable: true },
  stage: { sql: 'o.stage', type: 'text' },
  // A null costs a row nothing.
  next_action: { sql: `coalesce(o.next_action, 'done')`, type: 'text' },
  acts: { sql: `coalesce(o.acts, 'nobody')`, type: 'text' },
  client_id: { sql: 'o.client_id', type: 'text' },
  assignee: {
    sql: '(select desk.assignee from order_desk desk where desk.order_id = o.id)',
    type: 'text',
    nullable: true,
  },
  seller: { sql: 'o.seller', type: 'text', nullable: true },
  external_id: { sql: 'o.external_id', type: 'text', nullable: true },
  speculative: { sql: 'o.speculative', type: 'boolean' },
  variant: { sql: 'o.variant', type: 'text' },
  id: { sql: 'o.id', type: 'text' },
  event_id: { sql: 'o.event_id', type: 'text' },
  listing_id: { sql: 'o.listing_id', type: 'text' },
  ref_id: { sql: 'o.ref_id', type: 'text', nullable: true },
  transaction_id: { sql: 'o.transaction_id', type: 'text' },
  tracking_number: { sql: 'o.tracking_number', type: 'text', nullable: true },
  card_last4: { sql: 'o.card_last4', type: 'text', nullable: true },
  placed_at: { sql: 'o.placed_at', type: 'timestamptz' },
  updated_at: { sql: 'o.updated_at', type: 'timestamptz' },
  quantity: { sql: 'o.quantity', type: 'int' },
  total: { sql: 'o.total_cents', type: 'bigint' },
};

// The index holds only this much of a transaction id.
const INDEXED_CHARACTERS = 200;

/**
 * Compiles a condition to a boolean expression over a row `o` of table `orders`. Values only ever become parameters.
 * The expression may be null where it does not hold. `not` therefore tests for "is not true": a null cannot leak through it.
 */
export function conditionSql(condition: ParsedCondition, context: ConditionContext, parameters: Parameters): string {
  if ('and' in condition) return joined(condition.and, 'and', context, parameters);
  if ('or' in condition) return joined(condition.or, 'or', context, parameters);
  if ('not' in condition) return `((${conditionSql(condition.not, context, parameters)}) is not true)`;
  return comparisonSql(condition, context, parameters);
}

function joined(
  conditions: readonly ParsedCondition[],
  operator: 'and' | 'or',
  context: ConditionContext,
  parameters: Parameters,
): string {
  if (conditions.length === 0) return operator === 'and' ? 'true' : 'false';
  return `(${conditions.map((one) => conditionSql(one, context, parameters)).join(` ${operator} `)})`;
}

function comparisonSql(condition: FieldCondition, context: ConditionContext, parameters: Parameters): string {
  const { field } = condition;
  if (isPersonalField(field)) return personalSql(field, condition, context, parameters);
  switch (field) {
    case 'queue':
      return queueSql(condition, context, parameters);
    case 'tag':
      return `exists (select from order_desk desk where desk.order_id = o.id
        and desk.tags && ${parameters.add([condition.value].flat())}::text[])`;
    case 'due_at':
      return dueSql(condition, parameters);
    case 'has':
      return featureSql(String(condition.value), context);
    case 'transaction_id':
      return transactionSql(condition, parameters) ?? plainSql(field, condition, parameters);
    case 'id':
      return condition.op === 'starts_with'
        ? idStartsWith(String(condition.value), parameters)
        : plainSql(field, condition, parameters);
    case 'client_id':
      return clientSql(condition, parameters);
    default:
      return plainSql(field, condition, parameters);
  }
}

function plainSql(field: PlainField, condition: FieldCondition, parameters: Parameters): string {
  const { sql, type, nullable } = COLUMNS[field];
  const value = () => `${parameters.add(condition.value)}::${type}`;
  switch (condition.op) {
    case 'is_null':
      return `${sql} is ${condition.value ? '' : 'not '}null${impliedByNull(field, condition.value)}`;
    case 'in':
      return `${sql} = any(${value()}[])`;
    case 'starts_with':
      return startsWith(sql, String(condition.value), parameters);
    case '!=':
      return nullable ? `${sql} is distinct from ${value()}` : `${sql} <> ${value()}`;
    case '<':
    case '<=':
      return `${sql} ${condition.op} ${value()}${field === 'updated_at' ? ` and ${placedBefore(value())}` : ''}`;
    case '=':
    case '>':
    case '>=':
      return `${sql} ${condition.op} ${value()}`;
  }
}

// An order cannot change before it is placed, so the list can begin there. The day allows for clocks that were set back.
function placedBefore(instant: string): string {
  return `o.placed_at <= ${instant} + interval '1 day'`;
}

/**
 * When the next action of an order `o` is due. The worker has worked it out for the work items, half a second after the order; the deadlines that end by
 * themselves are in the order.
 */
export const DUE_AT = `case when o.queue is null then null
  when o.due_for = 'confirmation' or o.due_for = 'transfer' then o.due_at
  else (select nullif(w.due_at, 'infinity') from work_items w where w.order_id = o.id and w.queue = o.queue) end`;

function dueSql({ op, value }: FieldCondition, parameters: Parameters): string {
  if (op === 'is_null') return `(${DUE_AT}) is ${value ? '' : 'not '}null`;
  const at = `${parameters.add(value)}::timestamptz`;
  return op === '!=' ? `(${DUE_AT}) is distinct from ${at}` : `(${DUE_AT}) ${op} ${at}`;
}

// Orders without a status are few, and have an index by their stage.
function impliedByNull(field: PlainField, isNull: boolean): string {
  return isNull && (field === 'status' || field === 'status_code') ? ` and o.stage <> 'placed'` : '';
}

// Texts of these sort in the same way in every encoding, and each has a next character.
const SORTED_BY_BYTE = /^[ -}]+$/;

/** As a range where possible: LIKE would test each row of the index again, and a short start has a hundred thousand. */
function startsWith(sql: string, start: string, parameters: Parameters): string {
  if (SORTED_BY_BYTE.test(start)) {
    const end = start.slice(0, -1) + String.fromCharCode(start.charCodeAt(start.length - 1) + 1);
    return `(${sql} ~>=~ ${parameters.add(start)} and ${sql} ~<~ ${parameters.add(end)})`;
  }
  return `${sql} like ${parameters.add(`${start.replace(/[\\%_]/g, '\\$&')}%`)}`;
}

const ID_START = /^ord_([0-9a-f]{1,32})$/;

/**
 * As a range of the primary key. Digits and these letters have the same order in every collation of a database, so it needs no index of
 * its own that is sorted by bytes.
 */
function idStartsWith(start: string, parameters: Parameters): string {
  if ('ord_'.startsWith(start)) return 'true';
  const digits = ID_START.exec(start)?.[1];
  if (digits === undefined) return 'false';
  const last = digits.at(-1)!;
  const next = last === '9' ? 'a' : String.fromCharCode(last.charCodeAt(0) + 1);
  return `(o.id >= ${parameters.add(start)} and o.id < ${parameters.add(`${start.slice(0, -1)}${next}`)})`;
}

/** What an index is sorted by, its operators, and whether it has the ids of orders beside the time of placing. */
export type IndexKey = Readonly<{ sql: string; less: string; greater: string; hasId: boolean }>;

/** The key of the index that finds how the field begins. */
export function keyOfStart(field: OrderField): IndexKey {
  if (field === 'id') return { sql: 'o.id', less: '<', greater: '>', hasId: true };
  const sql =
    field === 'transaction_id' ? `left(o.transaction_id, ${INDEXED_CHARACTERS})` : COLUMNS[field as PlainField].sql;
  return { sql, less: '~<~', greater: '~>~', hasId: !WITHOUT_IDS.includes(field) };
}

const WITHOUT_IDS: readonly OrderField[] = ['event_id', 'listing_id', 'ref_id', 'card_last4'];

function transactionSql({ op, value }: FieldCondition, parameters: Parameters): string | undefined {
  const start = (text: string) => Array.from(text).slice(0, INDEXED_CHARACTERS).join('');
  if (op === '=') {
    const text = String(value);
    return `(left(o.transaction_id, ${INDEXED_CHARACTERS}) = ${parameters.add(start(text))} and o.transaction_id = ${parameters.add(text)})`;
  }
  if (op === 'in') {
    const texts = value.map(String);
    return `(left(o.transaction_id, ${INDEXED_CHARACTERS}) = any(${parameters.add(texts.map(start))}::text[])
      and o.transaction_id = any(${parameters.add(texts)}::text[]))`;
  }
  if (op !== 'starts_with') return undefined;
  const text = String(value);
  const byStart = startsWith(`left(o.transaction_id, ${INDEXED_CHARACTERS})`, start(text), parameters);
  if (start(text) === text) return byStart;
  return `(${byStart} and ${startsWith('o.transaction_id', text, parameters)})`;
}

/** The index holds four bytes of a client's id instead of 36. */
function clientSql(condition: FieldCondition, parameters: Parameters): string {
  const plain = plainSql('client_id', condition, parameters);
  if (condition.op === '=')
    return `(hashtext(o.client_id) = hashtext(${parameters.add(condition.value)}) and ${plain})`;
  if (condition.op !== 'in') return plain;
  const hashes = `select hashtext(id) from unnest(${parameters.add(condition.value)}::text[]) id`;
  return `(hashtext(o.client_id) = any(array(${hashes})) and ${plain})`;
}

/** The column does not know whether the due time has passed. The broker's deadline is in the order, the others are in the work items. */
function queueSql(condition: FieldCondition, { now }: ConditionContext, parameters: Parameters): string {
  const isInQueue = (queue: string) => {
    if (queue === 'overdue') {
      return `(case when o.queue = 'to_confirm' then o.due_at <= ${parameters.add(now)}::timestamptz
        when o.queue is not null then ${IS_LATE} else false end)`;
    }
    const inQueue = `o.queue = ${parameters.add(queue)}`;
    if (queue !== 'to_confirm') return `(${inQueue} and not ${IS_LATE})`;
    return `(${inQueue} and (o.due_at is null or o.due_at > ${parameters.add(now)}::timestamptz))`;
  };
  switch (condition.op) {
    case 'is_null':
      return condition.value ? `(${IS_IN_NONE})` : `not (${IS_IN_NONE})`;
    case '!=':
      return `(${isInQueue(String(condition.value))} is not true)`;
    default:
      return `(${[condition.value]
        .flat()
        .map((queue) => isInQueue(String(queue)))
        .join(' or ')})`;
  }
}

/** The sources of overdue orders, through the index of the deadlines and that of the work items. */
export function overdueSources(now: string, parameters: Parameters): Source[] {
  return [
    { from: 'orders o', only: `o.queue = 'to_confirm' and o.due_at <= ${parameters.add(now)}::timestamptz` },
    // Nearly all items agree with their order. `coalesce` keeps the planner from taking that for rare, and from reading them all.
    {
      ...ITEMS_BY_PLACING,
      only: `w.place = 'overdue' and w.queue <> 'to_confirm' and coalesce(w.queue = o.queue, false)`,
    },
  ];
}

/**
 * The source of the orders of a queue. Where most of its orders are overdue, and so in another queue, its work items find the others.
 * They are half a second behind the orders, so the newest orders are looked at first.
 */
export function queueSource(condition: FieldCondition, context: ConditionContext, parameters: Parameters): Source {
  // An order whose confirmation is overdue does not stay in its queue.
  if (condition.value === 'to_confirm') return { from: 'orders o', only: conditionSql(condition, context, parameters) };
  const queue = parameters.add(condition.value);
  const among = `o.queue = ${queue}`;
  return {
    from: 'orders o',
    only: `${among} and not ${IS_LATE}`,
    newest: {
      among,
      others: [
        { ...ITEMS_BY_PLACING, only: `w.place = ${queue} and ${among}` },
        { from: WORK_ITEMS, only: `w.snoozed_until is not null and w.queue = ${queue} and ${among}` },
      ],
    },
  };
}

/** Features that few orders have, so that these lead a search. */
export const isRareFeature = ({ field, value }: FieldCondition) =>
  field === 'has' && Object.hasOwn(ORDERS_WITH, String(value));

/**
 * The source of the orders with a rare feature, such as a parked ping, each looked up by its id. The planner takes each ping for an order of its own, and would
 * rather read all orders, with several processes that other requests then wait for. `offset 0` leaves it no other way.
 */
export function rareFeatureSource(
  condition: FieldCondition,
  context: ConditionContext,
  parameters: Parameters,
): Source {
  return {
    from: 'orders o',
    only: conditionSql(condition, context, parameters),
    newest: { among: 'true', others: [{ from: ordersAmong(ORDERS_WITH[String(condition.value)] ?? '') }] },
  };
}

const ORDERS_WITH: Readonly<Record<string, string>> = {
  parked_ping: `select distinct order_id from pings where state = 'parked'`,
  money_task: 'select distinct order_id from money_tasks where done_at is null and order_id is not null',
};

const ordersAmong = (ids: string) => `(${ids}) found
  cross join lateral (select * from orders where id = found.order_id offset 0) o`;

/** True for an order `o` that the worker has moved to the overdue ones. */
const IS_LATE = `exists (select from work_items w where w.order_id = o.id and w.queue = o.queue and w.place = 'overdue')`;

/** An order that waits for others is in a queue only once it is overdue. */
const IS_IN_NONE = `o.queue is null or (o.queue = 'waiting' and not ${IS_LATE})`;

const WORK_ITEMS = 'work_items w join orders o on o.id = w.order_id';
const ITEMS_BY_PLACING = { from: WORK_ITEMS, at: 'w.placed_at', id: 'w.order_id' };

function featureSql(feature: string, { partnerNotesOnly }: ConditionContext): string {
  switch (feature) {
    case 'parked_ping':
      return `exists (select from pings ping where ping.order_id = o.id and ping.state = 'parked')`;
    case 'note':
      return `exists (select from order_notes note where note.order_id = o.id${partnerNotesOnly ? ` and note.visibility = 'partner'` : ''})`;
    case 'money_task':
      return `exists (select from money_tasks task where task.order_id = o.id and task.done_at is null)`;
    case 'replacement':
      return 'o.has_replacement';
    case 'refund':
      return 'o.has_refund';
    default:
      throw new Error('the contract has a feature that the search does not know');
  }
}

function personalSql(
  field: PersonalField,
  condition: FieldCondition,
  { digests }: ConditionContext,
  parameters: Parameters,
): string {
  const column = `keys.${DIGEST_COLUMNS[field]}`;
  const keys = 'select from personal_data_keys keys where keys.order_id = o.id and';
  if (condition.op === 'is_null') {
    return condition.value ? `not exists (${keys} ${column} is not null)` : `exists (${keys} ${column} is not null)`;
  }
  const wanted = parameters.add([condition.value].flat().flatMap((value) => digests(field, String(value))));
  return `exists (${keys} (${column} = any(${wanted}::bytea[]) or keys.other_digests && ${wanted}::bytea[]))`;
}

/** The sources of orders with one of these digests. An order with several of them may come from several sources. */
export function personalSources(wanted: readonly WantedDigests[], parameters: Parameters): Source[] {
  const add = (value: unknown) => parameters.add(value);
  const byColumn = wanted.flatMap(({ field, digests }) => {
    // Many people share a name, so its index has the order of the usual list, for one digest at a time.
    if (field === 'last_name' || field === 'first_name') {
      const column = `keys.${DIGEST_COLUMNS[field]}`;
      return digests.map((digest) => ({ from: KEYS, ...KEYS_BY_PLACING, only: `${column} = ${add(digest)}` }));
    }
    return digests.length === 0 ? [] : [{ from: KEYS, only: hasDigest({ field, digests }, add, 'keys.') }];
  });
  // Each field has digests of its own, so one source is enough for all. A source takes half a millisecond to plan.
  const all = wanted.flatMap(({ digests }) => digests);
  return [...byColumn, { from: KEYS, only: `keys.other_digests && ${add(all)}::bytea[]` }];
}

/** The sources of orders that lack the field: those without any personal data, and those whose buyer did not give it. */
export function withoutPersonal(field: PersonalField): Source[] {
  const withData = { from: KEYS, ...KEYS_BY_PLACING, only: `keys.${DIGEST_COLUMNS[field]} is null` };
  return [{ from: 'orders o', only: 'o.personal is null' }, withData];
}

const KEYS = 'personal_data_keys keys join orders o on o.id = keys.order_id';
const KEYS_BY_PLACING = { at: 'keys.placed_at', id: 'keys.order_id' };

/** A condition whose index is not in the order of the list, but in its own. */
export type UnsortedCondition = Readonly<{
  sql: string;
  key: IndexKey;
}>;

/** A part of the orders. */
export type Source = Readonly<{
  from: string;
  /** The condition of the part. With several, an order meets at least one of them. */
  only?: string | readonly UnsortedCondition[];
  /** The columns that order it by time of placing, if these are not those of `orders`. */
  at?: string;
  id?: string;
  /** A column with one value in the part. The planner does not know that, and has to read the index that begins with it. */
  first?: string;
  /** For a condition that few orders may meet. */
  newest?: NewestFirst;
}>;

/** Looks at the newest orders for which `among` is true. If these do not fill the page, `others` has the rest of the part. */
export type NewestFirst = Readonly<{ among: string; others: readonly Source[] }>;
