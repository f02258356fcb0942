import type { DenialReason } from '#orders/broker-answer.contract';
import { screeningWords } from './screening-words.js';

/** A policy or a fraud rule. One without an id is new. */
export type Entry = Readonly<{
  id?: string;
  name: string;
  where: Readonly<Record<string, unknown>>;
  enabled: boolean;
  /** Of a policy; of a fraud rule only `reject`, and without it the rule holds. */
  action?: 'accept' | 'deny' | 'reject';
  reason?: DenialReason;
  /** Of a fraud rule that does not hold a purchase by itself. */
  score?: number;
}>;

export type RuleKind = 'policies' | 'fraud';

/** `list` and `one`: the names in the bodies of the API. */
export const KINDS = {
  policies: { path: 'policies', list: 'policies', one: 'policy', words: screeningWords.policies },
  fraud: { path: 'fraud-rules', list: 'rules', one: 'rule', words: screeningWords.fraud },
} as const;
