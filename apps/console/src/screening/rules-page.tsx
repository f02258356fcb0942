import './screening.css';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isStale } from '../api/order-changes.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { UpIcon } from '../frame/icons.js';
import { NamedText } from '../frame/named-text.js';
import { PageHead } from '../frame/page-head.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { denials } from '../words/answers.js';
import { screeningWords as words } from './screening-words.js';
import { conditionText } from './condition-text.js';
import { RuleForm } from './rule-form.js';
import { type Entry, KINDS, type Listed, type RuleKind } from './rule-kinds.js';

export function PoliciesPage() {
  return <RulesPage kind="policies" />;
}

export function FraudRulesPage() {
  return <RulesPage kind="fraud" />;
}

const NONE: Listed = { version: 0, entries: [] };

/** The list of policies or of fraud rules. The API replaces the whole list, so each change sends it with the others as the person saw them. */
function RulesPage({ kind }: Readonly<{ kind: RuleKind }>) {
  const { read, replace: replaceAll, words: own } = KINDS[kind];
  const queryKey = ['screening', kind];
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
  });
  const [edited, setEdited] = useState<Entry | 'new' | null>(null);
  /** The list that a change is made from: the one that the person saw when the dialog opened. */
  const [seen, setSeen] = useState<Listed>();
  const [removed, setRemoved] = useState<Entry | null>(null);
  const change = useMutationOnce({
    mutationFn: async (changed: (entries: readonly Entry[]) => readonly Entry[]) => {
      const { version, entries } = (edited === null && removed === null ? undefined : seen) ?? data ?? NONE;
      await replaceAll({ version, entries: changed(entries) });
    },
    onSuccess: () => {
      setRemoved(null);
      return client.invalidateQueries({ queryKey });
    },
    // The next try is made from the list as it is now, which the person has been told to look at.
    onError: async (failure) => {
      if (isStale(failure)) setSeen((await refetch()).data);
    },
  });
  const replace = (entry: Entry) =>
    change.mutateAsync((entries) =>
      entries.some(({ id }) => id !== undefined && id === entry.id)
        ? entries.map((one) => (one.id === entry.id ? entry : one))
        : [...entries, entry],
    );
  const { entries } = data ?? NONE;
  const open = (entry: Entry | 'new') => {
    setSeen(data);
    setEdited(entry);
  };
  return (
    <div className="page">
      <PageHead title={own.title} hint={own.hint}>
        <Button onClick={() => open('new')}>{own.add}</Button>
      </PageHead>
      {change.error && !removed && edited === null && <Failure error={change.error} stale={words.staleList} />}
      <DataTable
        label={own.title}
        rows={entries}
        keyOf={({ id, name }) => id ?? name}
        empty={own.empty}
        query={{ error, isPending, refetch }}
        columns={[
          { id: 'name', name: words.name, cell: ({ name }) => <strong>{name}</strong> },
          { id: 'condition', name: words.condition, cell: ({ where }) => conditionText(where) },
          { id: 'does', name: words.does, cell: doesText },
          { id: 'state', name: words.state, cell: ({ enabled }) => <State on={enabled} /> },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (entry) => (
              <span className="row end">
                {kind === 'policies' && entries.indexOf(entry) > 0 && (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={words.up(entry.name)}
                    onClick={() => change.mutate((now) => movedUp(now, entry))}
                  >
                    <UpIcon />
                  </button>
                )}
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => void replace({ ...entry, enabled: !entry.enabled }).catch(() => undefined)}
                >
                  <NamedText
                    text={entry.enabled ? words.switchOff : words.switchOn}
                    name={words.switchOf(entry.name, entry.enabled)}
                  />
                </Button>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={words.editOf(entry.name)}
                  onClick={() => open(entry)}
                >
                  {words.edit}
                </Button>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={words.removeOf(entry.name)}
                  onClick={() => {
                    setSeen(data);
                    setRemoved(entry);
                  }}
                >
                  {words.remove}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {edited !== null && (
        <RuleForm
          kind={kind}
          entry={edited === 'new' ? null : edited}
          save={replace}
          onClose={() => {
            change.reset();
            setEdited(null);
          }}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={words.removeOf(removed.name)}
          apply={words.remove}
          cancel={words.cancel}
          error={change.error}
          stale={words.staleList}
          busy={change.isPending}
          isFinal
          onApply={() => change.mutate((now) => now.filter(({ id }) => id !== removed.id))}
          onClose={() => {
            change.reset();
            setRemoved(null);
          }}
        >
          {own.removeAsk(removed.name)}
        </ConfirmDialog>
      )}
    </div>
  );
}

function State({ on }: Readonly<{ on: boolean }>) {
  return <span className={`status ${on ? 'confirmed' : 'none'}`}>{on ? words.on : words.off}</span>;
}

function doesText({ action, reason, score }: Entry): string {
  if (action === 'deny') return words.policies.denies(denials[reason ?? 'denied'].name);
  if (action === 'accept') return words.policies.actions['accept'] ?? '';
  if (action === 'reject') return words.fraud.actions.reject;
  return score === undefined || score === 100 ? words.fraud.holds : words.fraud.adds(score);
}

function movedUp(entries: readonly Entry[], { id }: Entry): readonly Entry[] {
  const place = entries.findIndex((one) => one.id === id);
  const [moved, above] = [entries[place], entries[place - 1]];
  if (!moved || !above) return entries;
  return entries.with(place - 1, moved).with(place, above);
}
