import type { DenialReason } from '#orders/broker-answer.contract';
import { ask } from '../api/http.js';
import { screeningWords } from './screening-words.js';

/** A policy or a fraud rule. One without an id is new. */
export type Entry = Readonly<{
  id?: string;
  name: string;
  where: Readonly<Record<string, unknown>>;
  enabled: boolean;
  /** The first two are of a policy. A fraud rule holds without one. */
  action?: 'accept' | 'deny' | 'hold' | 'reject';
  reason?: DenialReason;
  /** Of a fraud rule that does not hold a purchase by itself. */
  score?: number;
}>;

export type RuleKind = 'policies' | 'fraud';

/** A list as the API has it. It replaces the whole list, if that still has the version. */
export type Listed = Readonly<{ version: number; entries: readonly Entry[] }>;

const policyOf = ({ action, ...entry }: Entry) =>
  ({ ...entry, action: action === 'deny' ? 'deny' : 'accept' }) as const;

const ruleOf = ({ action, ...entry }: Entry) =>
  ({ ...entry, action: action === 'hold' || action === 'reject' ? action : undefined }) as const;

export const KINDS = {
  policies: {
    words: screeningWords.policies,
    read: async (signal: AbortSignal): Promise<Listed> => {
      const { version, policies } = await ask('GET policies', { signal });
      return { version, entries: policies };
    },
    replace: ({ version, entries }: Listed) =>
      ask('PUT policies', { ifMatch: version, body: { policies: entries.map(policyOf) } }),
    tryOut: (entry: Entry) =>
      ask('POST policies/dry-run', { body: { policy: { ...policyOf(entry), name: entry.name || undefined } } }),
  },
  fraud: {
    words: screeningWords.fraud,
    read: async (signal: AbortSignal): Promise<Listed> => {
      const { version, rules } = await ask('GET fraud-rules', { signal });
      return { version, entries: rules };
    },
    replace: ({ version, entries }: Listed) =>
      ask('PUT fraud-rules', { ifMatch: version, body: { rules: entries.map(ruleOf) } }),
    tryOut: (entry: Entry) =>
      ask('POST fraud-rules/dry-run', { body: { rule: { ...ruleOf(entry), name: entry.name || undefined } } }),
  },
} as const;
