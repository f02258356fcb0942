import {
  type FieldCondition,
  isPersonalField,
  type ParsedCondition,
  type PersonalField,
  type RuleField,
} from '../order-condition.contract.js';

/** What is known of an order. Of a buyer's data only keyed digests, in hex. Amounts are in cents, times ISO 8601 in UTC. */
export type Facts<F extends RuleField = RuleField> = Readonly<Record<F, Fact>>;
export type Fact = string | number | boolean | readonly string[] | null;

export type Matcher<F extends RuleField = RuleField> = (facts: Facts<F>) => boolean;

/** The digests that a value may be stored as. */
export type DigestsOf = (field: PersonalField, value: string) => readonly Buffer[];

/**
 * Compiles a condition to a test of one order in memory, with the same meaning as `conditionSql` has in the database: a null meets `is_null`
 * and `!=` only, and `not` is the complement. A value of the buyer becomes digests here, so a test costs no hashing.
 */
export function matcherOf<F extends RuleField>(condition: ParsedCondition<F>, digests: DigestsOf): Matcher<F> {
  if ('and' in condition) {
    const all = condition.and.map((one) => matcherOf(one, digests));
    return (facts) => all.every((matches) => matches(facts));
  }
  if ('or' in condition) {
    const any = condition.or.map((one) => matcherOf(one, digests));
    return (facts) => any.some((matches) => matches(facts));
  }
  if ('not' in condition) {
    const inner = matcherOf(condition.not, digests);
    return (facts) => !inner(facts);
  }
  return comparison(condition, digests);
}

function comparison<F extends RuleField>(condition: FieldCondition<F>, digests: DigestsOf): Matcher<F> {
  const { field, op, value } = condition;
  if (op === 'is_null') return (facts) => isUnknown(facts[field]) === value;
  const wanted = wantedOf(field, value, digests);
  if (op === '!=') return (facts) => !wanted.has(facts[field] as Plain);
  if (op === '=' || op === 'in') return (facts) => meets(facts[field], wanted);
  if (op === 'starts_with') {
    const start = String(value);
    return (facts) => typeof facts[field] === 'string' && facts[field].startsWith(start);
  }
  const compare = COMPARISONS[op];
  return (facts) => {
    const own = facts[field];
    return own !== null && compare(own as Ordered, value as Ordered);
  };
}

type Plain = string | number | boolean | null;
type Ordered = string | number;

const COMPARISONS = {
  '<': (a: Ordered, b: Ordered) => a < b,
  '<=': (a: Ordered, b: Ordered) => a <= b,
  '>': (a: Ordered, b: Ordered) => a > b,
  '>=': (a: Ordered, b: Ordered) => a >= b,
};

function wantedOf(field: RuleField, value: unknown, digests: DigestsOf): ReadonlySet<Plain> {
  const values = [value].flat() as Plain[];
  if (!isPersonalField(field)) return new Set(values);
  return new Set(values.flatMap((one) => digests(field, String(one)).map((digest) => digest.toString('hex'))));
}

/** Of a field with several values, one is enough. */
function meets(own: Fact, wanted: ReadonlySet<Plain>): boolean {
  return Array.isArray(own) ? own.some((one: string) => wanted.has(one)) : wanted.has(own as Plain);
}

function isUnknown(own: Fact): boolean {
  return own === null || (Array.isArray(own) && own.length === 0);
}
