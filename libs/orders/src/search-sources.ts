import {
  comparisonsOf,
  type FieldCondition,
  isPersonalField,
  type ParsedCondition,
  type PersonalField,
} from './order-condition.contract.js';
import { STAGES } from '#domain/order-state';
import { hasDigest, type WantedDigests } from './digest-columns.js';
import type { AskedFor } from './asked-for.js';
import { type LocatedText, spokenSql } from './search/spoken-texts.js';
import {
  type ConditionContext,
  conditionSql,
  keyOfStart,
  overdueSources,
  type Parameters,
  personalSources,
  queueSource,
  type Source,
  withoutPersonal,
  isRareFeature,
  rareFeatureSource,
} from './condition-sql.js';

// Each part is planned and read by itself. Beyond this, one condition for all values costs less.
const MOST_PARTS = 8;

// Their indexes have the order of the list for one value, not for several.
const IN_ORDER_BY_VALUE = [
  'status',
  'status_code',
  'stage',
  'client_id',
  'seller',
  'external_id',
  'event_id',
  'listing_id',
  'queue',
];

/** The parts to search, whose union is the result, and the condition that holds for each. */
export type SearchParts = Readonly<{ sources: readonly Source[]; rest: ParsedCondition }>;

/**
 * Splits a search so that each part can be read in the order of the list, through an index: orders of a buyer from the table of
 * digests, orders of an assignee or tag from the desk, and a list of values one by one.
 */
export function searchParts(
  where: ParsedCondition,
  q: AskedFor<LocatedText> | undefined,
  context: ConditionContext,
  parameters: Parameters,
): SearchParts {
  const conjuncts = conjunctsOf(where);
  if (q) return { sources: [...texts(q, context, parameters), ...buyers(q.buyers, parameters)], rest: where };
  const [alone] = conjuncts;
  if (alone && conjuncts.length === 1 && isCode(alone)) return { sources: codeSources(alone, parameters), rest: ANY };
  for (const isLeading of LEADING) {
    const leading = conjuncts.find((one): one is FieldCondition => 'field' in one && isLeading(one));
    if (!leading) continue;
    const rest = { and: conjuncts.filter((one) => one !== leading) };
    return { sources: sourcesOf(leading, context, parameters), rest };
  }
  return { sources: [{ from: 'orders o' }], rest: where };
}

/** The same as one condition, to count the orders by a whole text. Each alternative has its own index, so the planner combines bitmaps. */
export function askedSql(q: AskedFor, context: ConditionContext, parameters: Parameters): string {
  const add = (value: unknown) => parameters.add(value);
  const byText = q.texts.map((one) => conditionSql(one, context, parameters));
  const byBuyer = q.buyers.flatMap((wanted) => {
    return [hasDigest(wanted, add), `other_digests && ${add(wanted.digests)}::bytea[]`];
  });
  const keys = byBuyer.map((only) => `o.id = any(array(select order_id from personal_data_keys where ${only}))`);
  return `(${[...byText, ...keys].join(' or ')})`;
}

const ANY = { and: [] };

const isValued = ({ op }: FieldCondition) => op === '=' || op === 'in';

/** PostgreSQL does not read an index in order for `is null`, so these orders are found by their stages. */
function isWithoutStatus({ field, op, value }: FieldCondition): boolean {
  return (field === 'status' || field === 'status_code') && op === 'is_null' && value === true;
}

function isCode(condition: ParsedCondition): condition is FieldCondition {
  return 'field' in condition && condition.field === 'status_code' && isValued(condition) && hasFewValues(condition);
}

function hasFewValues({ value }: FieldCondition): boolean {
  return [value].flat().length <= MOST_PARTS;
}

function isQueue({ field, op }: FieldCondition): boolean {
  return field === 'queue' && op === '=';
}

// An order has its first status from the moment it is placed.
const STAGES_WITHOUT_STATUS = STAGES.filter((stage) => stage !== 'placed');

/** Which condition leads the search, if there are several. */
const LEADING: readonly ((condition: FieldCondition) => boolean)[] = [
  (condition) => isPersonalField(condition.field) && isValued(condition),
  (condition) => ['assignee', 'tag'].includes(condition.field) && isValued(condition),
  isRareFeature,
  ({ op }) => op === 'starts_with',
  ({ field, op, value }) => isPersonalField(field) && op === 'is_null' && value === true,
  (condition) => isWithoutStatus(condition),
  (condition) => isQueue(condition),
  (condition) => IN_ORDER_BY_VALUE.includes(condition.field) && condition.op === 'in' && hasFewValues(condition),
];

/** Texts, or how they begin. They have no order of their own, and are one source, because a look at the newest orders often settles all of them. */
function texts(
  { texts: asked, spoken }: Pick<AskedFor<LocatedText>, 'texts' | 'spoken'>,
  context: ConditionContext,
  parameters: Parameters,
): readonly Source[] {
  const starts = asked.map((one) => ({ sql: conditionSql(one, context, parameters), key: keyOfStart(one.field) }));
  const only = [...starts, ...spoken.map((one) => spokenSql(one, parameters))];
  return only.length > 0 ? [{ from: 'orders o', only }] : [];
}

function buyers(wanted: readonly WantedDigests[], parameters: Parameters): readonly Source[] {
  return wanted.length > 0 ? personalSources(wanted, parameters) : [];
}

function wantedBy(field: PersonalField, { value }: FieldCondition, { digests }: ConditionContext): WantedDigests {
  return { field, digests: [value].flat().flatMap((one) => digests(field, String(one))) };
}

function sourcesOf(condition: FieldCondition, context: ConditionContext, parameters: Parameters): readonly Source[] {
  const { field } = condition;
  if (isPersonalField(field)) {
    return condition.op === 'is_null'
      ? withoutPersonal(field)
      : buyers([wantedBy(field, condition, context)], parameters);
  }
  if (field === 'assignee' && isValued(condition)) {
    return valuesOf(condition).map((value) => ({ ...DESK, only: `desk.assignee = ${parameters.add(value)}` }));
  }
  if (field === 'tag') return [{ ...DESK, only: `desk.tags && ${parameters.add(valuesOf(condition))}::text[]` }];
  if (condition.op === 'starts_with') return texts({ texts: [condition], spoken: [] }, context, parameters);
  if (field === 'has') return [rareFeatureSource(condition, context, parameters)];
  if (isWithoutStatus(condition)) {
    return STAGES_WITHOUT_STATUS.map((stage) => ({ from: 'orders o', only: `o.stage = '${stage}'` }));
  }
  const singles: readonly FieldCondition[] =
    condition.op === 'in' ? valuesOf(condition).map((value) => ({ field, op: '=', value })) : [condition];
  return singles.flatMap((one) => {
    if (!isQueue(one)) return [{ from: 'orders o', only: conditionSql(one, context, parameters) }];
    return one.value === 'overdue' ? overdueSources(context.now, parameters) : [queueSource(one, context, parameters)];
  });
}

/**
 * Most orders end with the same code, and the newest do not have it yet. The planner takes codes for evenly spread, and would read
 * the list down to the first with this one.
 */
function codeSources(condition: FieldCondition, parameters: Parameters): readonly Source[] {
  return valuesOf(condition).map((code) => ({
    from: 'orders o',
    only: `o.status_code = any(${parameters.add([code])}::int[])`,
    first: 'o.status_code',
  }));
}

const DESK = {
  from: 'order_desk desk join orders o on o.id = desk.order_id',
  at: 'desk.placed_at',
  id: 'desk.order_id',
};

function valuesOf({ value }: FieldCondition) {
  return [...new Set([value].flat() as (string | number | boolean)[])];
}

function conjunctsOf(condition: ParsedCondition): readonly ParsedCondition[] {
  return 'and' in condition ? condition.and.flatMap(conjunctsOf) : [condition];
}

/** Returns whether the search asks who the buyer is. */
export function asksForBuyer(where: ParsedCondition | undefined): boolean {
  return where !== undefined && comparisonsOf(where).some(({ field }) => isPersonalField(field));
}
