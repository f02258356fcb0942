import './screening.css';
import { Button } from '@mantine/core';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { Failure } from '../frame/failure.js';
import { PageHead } from '../frame/page-head.js';
import { screeningWords as words } from './screening-words.js';
import { RuleForm } from './rule-form.js';
import { type Entry, KINDS, type RuleKind } from './rule-kinds.js';
import { RuleTable } from './rule-table.js';
import { useRules } from './use-rules.js';

export function PoliciesPage() {
  return <RulesPage kind="policies" />;
}

export function FraudRulesPage() {
  return <RulesPage kind="fraud" />;
}

/** The list of policies or of fraud rules. */
function RulesPage({ kind }: Readonly<{ kind: RuleKind }>) {
  const { words: own } = KINDS[kind];
  const rules = useRules(kind);
  const { change, replace, edited, removed } = rules;
  return (
    <div className="page">
      <PageHead title={own.title} hint={own.hint}>
        <Button onClick={() => rules.edit('new')}>{own.add}</Button>
      </PageHead>
      {change.error && !removed && edited === null && <Failure error={change.error} stale={words.staleList} />}
      <RuleTable
        kind={kind}
        entries={rules.entries}
        query={rules.query}
        onUp={(entry) => change.mutate((now) => movedUp(now, entry))}
        onSwitch={(entry) => void replace({ ...entry, enabled: !entry.enabled }).catch(() => undefined)}
        onEdit={rules.edit}
        onRemove={rules.askToRemove}
      />
      {edited !== null && (
        <RuleForm kind={kind} entry={edited === 'new' ? null : edited} save={replace} onClose={rules.close} />
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
          onClose={rules.close}
        >
          {own.removeAsk(removed.name)}
        </ConfirmDialog>
      )}
    </div>
  );
}

function movedUp(entries: readonly Entry[], { id }: Entry): readonly Entry[] {
  const place = entries.findIndex((one) => one.id === id);
  const [moved, above] = [entries[place], entries[place - 1]];
  if (!moved || !above) return entries;
  return entries.with(place - 1, moved).with(place, above);
}
