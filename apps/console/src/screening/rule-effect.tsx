import { NativeSelect, TextInput } from '@mantine/core';
import type { DenialReason } from '#orders/broker-answer.contract';
import { denials } from '../words/answers.js';
import type { Entry, RuleKind } from './rule-kinds.js';
import { screeningWords as words } from './screening-words.js';

/** What a rule does with an order that fits, as it is typed. */
export type Effect = Readonly<{ action: NonNullable<Entry['action']>; reason: DenialReason; score: string }>;

type EffectProps = Readonly<{ effect: Effect; onChange: (effect: Effect) => void }>;

export function RuleEffect({ kind, isScore, ...props }: EffectProps & Readonly<{ kind: RuleKind; isScore: boolean }>) {
  return kind === 'policies' ? <PolicyEffect {...props} /> : <FraudEffect isScore={isScore} {...props} />;
}

function PolicyEffect({ effect, onChange }: EffectProps) {
  const { action, reason } = effect;
  return (
    <div className="row wrap">
      <NativeSelect
        label={words.policies.action}
        value={action}
        onChange={({ currentTarget }) =>
          onChange({ ...effect, action: currentTarget.value === 'deny' ? 'deny' : 'accept' })
        }
        data={Object.entries(words.policies.actions).map(([value, label]) => ({ value, label }))}
      />
      {action === 'deny' && (
        <NativeSelect
          label={words.policies.reason}
          value={reason}
          onChange={({ currentTarget }) =>
            isReason(currentTarget.value) && onChange({ ...effect, reason: currentTarget.value })
          }
          data={Object.entries(denials).map(([value, { name }]) => ({ value, label: name }))}
        />
      )}
    </div>
  );
}

const isReason = (text: string): text is DenialReason => text in denials;

function FraudEffect({ effect, isScore, onChange }: EffectProps & Readonly<{ isScore: boolean }>) {
  const { action, score } = effect;
  return (
    <div className="row wrap">
      <NativeSelect
        label={words.fraud.action}
        value={action === 'reject' ? 'reject' : 'hold'}
        onChange={({ currentTarget }) =>
          onChange({ ...effect, action: currentTarget.value === 'reject' ? 'reject' : 'accept' })
        }
        data={Object.entries(words.fraud.actions).map(([value, label]) => ({ value, label }))}
      />
      {action !== 'reject' && (
        <TextInput
          label={words.fraud.score}
          description={words.fraud.scoreHint}
          inputMode="numeric"
          value={score}
          error={!isScore && words.fraud.wrongScore}
          onChange={({ currentTarget }) => onChange({ ...effect, score: currentTarget.value.trim() })}
        />
      )}
    </div>
  );
}
