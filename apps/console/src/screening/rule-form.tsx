import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isObject } from '../api/is-object.js';
import { DialogForm } from '../frame/dialog-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { screeningWords as words } from './screening-words.js';
import { type ConditionDraft, ConditionEditor, newRow } from './condition-editor.js';
import { conditionFault } from './condition-fault.js';
import { conditionOf, FIELDS, rowsOf } from './condition-rows.js';
import { DryRunResult } from './dry-run-result.js';
import { type Effect, RuleEffect } from './rule-effect.js';
import { type Entry, type RuleKind, KINDS } from './rule-kinds.js';

type Props = Readonly<{
  kind: RuleKind;
  entry: Entry | null;
  save: (entry: Entry) => Promise<unknown>;
  onClose: () => void;
}>;

/** Adds a policy or a fraud rule, or changes one. It can be tried on the orders of the past first. */
export function RuleForm({ kind, entry, save, onClose }: Props) {
  const { words: own } = KINDS[kind];
  const [name, setName] = useState(entry?.name ?? '');
  const [effect, setEffect] = useState<Effect>({
    action: entry?.action ?? 'accept',
    reason: entry?.reason ?? 'denied',
    score: String(entry?.score ?? 100),
  });
  const { action, reason, score } = effect;
  const [enabled, setEnabled] = useState(entry?.enabled ?? true);
  const [condition, setCondition] = useState<ConditionDraft>(() => draftOf(kind, entry));
  const [isMissing, setMissing] = useState(false);
  const where = whereOf(condition);
  const isScore = /^([1-9]\d?|100)$/.test(score);
  const edited: Entry = {
    ...(entry?.id !== undefined && { id: entry.id }),
    name: name.trim(),
    where: where ?? {},
    enabled,
    ...(kind === 'policies'
      ? { action, ...(action === 'deny' && { reason }) }
      : action === 'reject'
        ? { action }
        : score !== '100' && { score: Number(score) }),
  };
  const saving = useMutationOnce({ mutationFn: () => save(edited), onSuccess: onClose });
  const refused = conditionFault(saving.error);
  const submit = () => {
    setMissing(edited.name === '');
    if (edited.name !== '' && where && isScore) saving.mutate();
  };
  return (
    <DialogForm
      title={entry ? words.editOf(entry.name) : own.add}
      submit={words.save}
      cancel={words.cancel}
      error={refused === undefined ? saving.error : null}
      stale={words.stale}
      typed={{ name, effect, enabled, condition }}
      isPending={saving.isPending}
      size="lg"
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        data-autofocus
        autoComplete="off"
        value={name}
        error={isMissing && words.missing}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <ConditionEditor kind={kind} draft={condition} error={where ? refused : words.notJson} onChange={setCondition} />
      <TextToggle condition={condition} onChange={setCondition} />
      <RuleEffect kind={kind} effect={effect} isScore={isScore} onChange={setEffect} />
      <Checkbox
        label={words.enabled}
        checked={enabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      <DryRunResult kind={kind} entry={edited} isReady={where !== undefined && isScore} />
    </DialogForm>
  );
}

type ToggleProps = Readonly<{ condition: ConditionDraft; onChange: (condition: ConditionDraft) => void }>;

/** Between rows and text. Text that rows cannot show stays text. */
function TextToggle({ condition, onChange }: ToggleProps) {
  const { rows, text } = condition;
  if (text === null) {
    const written = JSON.stringify(conditionOf(rows), null, 2);
    return (
      <button type="button" className="link-button small" onClick={() => onChange({ rows, text: written })}>
        {words.asJson}
      </button>
    );
  }
  const parsed = parsedText(text);
  const shown = parsed && rowsOf(parsed);
  return shown ? (
    <button type="button" className="link-button small" onClick={() => onChange({ rows: shown, text: null })}>
      {words.asRows}
    </button>
  ) : null;
}

function draftOf(kind: RuleKind, entry: Entry | null): ConditionDraft {
  const empty = { join: 'and', rows: [newRow(FIELDS[kind][0] ?? 'total')] } as const;
  if (!entry) return { rows: empty, text: null };
  const rows = rowsOf(entry.where);
  return rows ? { rows, text: null } : { rows: empty, text: JSON.stringify(entry.where, null, 2) };
}

function whereOf({ rows, text }: ConditionDraft): Entry['where'] | undefined {
  return text === null ? conditionOf(rows) : parsedText(text);
}

function parsedText(text: string): Entry['where'] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
