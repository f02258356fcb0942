import {
  comparisonsOf,
  type FraudField,
  isFraudField,
  isPersonalField,
  type OrderField,
  type ParsedCondition,
  type PersonalField,
  type RuleCondition,
  type RuleField,
} from '../order-condition.contract.js';
import { HELD_FROM } from '../screening.contract.js';
import { dollarsOf } from '#domain/money';
import type { DenialReason, FraudVerdict, MatchingPolicy } from '#domain/order-events';
import { type DigestsOf, type Fact, type Facts, type Matcher, matcherOf } from './condition-match.js';
import type { FraudFacts } from './purchase-facts.js';

/** `where` is kept as it was sent. */
export type Policy = Readonly<{
  id: string;
  name: string;
  action: 'accept' | 'deny';
  reason?: DenialReason;
  where: Readonly<Record<string, unknown>>;
  enabled: boolean;
}>;

export type FraudRule = Readonly<{
  id: string;
  name: string;
  where: Readonly<Record<string, unknown>>;
  /** Missing: the rule holds a purchase by itself. */
  score?: number;
  /** Missing: it holds. */
  action?: 'reject';
  enabled: boolean;
}>;

type KnownField = Exclude<RuleField, PersonalField>;

export type CompiledPolicy = Readonly<{ policy: MatchingPolicy; matches: Matcher<OrderField> }>;

export type CompiledRule = Readonly<{
  rule: FraudVerdict['rules'][number];
  matches: Matcher;
  /** What has to be looked up for it. */
  needs: readonly FraudField[];
  /** What its condition reads and the log may name: no data of the buyer. */
  reads: readonly KnownField[];
}>;

export function compiledPolicy(policy: Policy, where: ParsedCondition, digests: DigestsOf): CompiledPolicy {
  const { id, name, action, reason = 'denied' } = policy;
  const answer = action === 'accept' ? { id, name, action } : { id, name, action, reason };
  return { policy: answer, matches: matcherOf(where, digests) };
}

export function compiledRule(rule: FraudRule, where: RuleCondition, digests: DigestsOf): CompiledRule {
  const { id, name, action, score = HELD_FROM } = rule;
  const fields = comparisonsOf(where).map(({ field }) => field);
  return {
    rule: action === 'reject' ? { id, name, score, action } : { id, name, score },
    matches: matcherOf(where, digests),
    needs: [...new Set(fields.filter((field) => isFraudField(field)))],
    reads: fields.filter((field) => !isPersonalField(field)) as KnownField[],
  };
}

/** The first policy that holds. */
export function policyFor(policies: readonly CompiledPolicy[], facts: Facts<OrderField>): MatchingPolicy | undefined {
  return policies.find(({ matches }) => matches(facts))?.policy;
}

/** @param found what was looked up, at least what the rules need */
export function verdictOf(rules: readonly CompiledRule[], facts: Facts<OrderField>, found: FraudFacts): FraudVerdict {
  const all = { ...facts, ...found };
  const fired = rules.filter(({ matches }) => matches(all)).map(({ rule }) => rule);
  const score = fired.reduce((sum, rule) => sum + rule.score, 0);
  return {
    verdict: fired.some(({ action }) => action === 'reject') ? 'rejected' : score >= HELD_FROM ? 'held' : 'passed',
    score,
    rules: fired,
    facts: Object.fromEntries(readBy(rules).map((field) => [field, shownFact(field, all[field])])),
  };
}

export function neededBy(rules: readonly CompiledRule[]): readonly FraudField[] {
  return [...new Set(rules.flatMap(({ needs }) => needs))].toSorted();
}

function readBy(rules: readonly CompiledRule[]): readonly KnownField[] {
  return [...new Set(rules.flatMap(({ reads }) => reads))].toSorted();
}

/** As a condition says it: amounts in dollars. */
function shownFact(field: KnownField, fact: Fact): Fact {
  return field === 'total' && typeof fact === 'number' ? dollarsOf(fact) : fact;
}
