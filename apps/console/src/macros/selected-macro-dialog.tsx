import './macros.css';
import { NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkOutcome } from '../api/bulk.js';
import { macrosQuery } from '../api/macros.js';
import { DataTable } from '../frame/data-table.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { DialogForm } from '../frame/dialog-form.js';
import { OrderLink } from '../frame/order-link.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { selectionWords } from '../words/order-selection.js';
import { errorText } from '../words/error-text.js';
import { frame } from '../words/frame.js';
import { applyToAll } from './apply-to-all.js';
import { MacroSteps } from './macro-steps.js';
import { macroWords as words } from './macro-words.js';

type Props = Readonly<{
  ids: readonly string[];
  onEnd: (outcome: BulkOutcome) => void;
  onClose: () => void;
}>;

/** Applies a macro to all selected orders, one after the other. Those at which a step was refused are shown with the reason. */
export function SelectedMacroDialog({ ids, onEnd, onClose }: Props) {
  const client = useQueryClient();
  const { data: macros, error } = useQuery(macrosQuery);
  const [chosen, setChosen] = useState('');
  const [count, setCount] = useState(0);
  const macro = macros?.find(({ id }) => id === chosen) ?? macros?.[0];
  const run = useMutationOnce({
    mutationFn: (macroId: string) => applyToAll(ids, macroId, setCount),
    onSuccess: (outcome) => {
      if (outcome.failed.length === 0) onEnd(outcome);
    },
    onSettled: () => client.invalidateQueries(),
  });
  const { data: outcome } = run;
  if (outcome && outcome.failed.length > 0)
    return <Refused outcome={outcome} count={ids.length} onClose={() => onEnd(outcome)} />;
  return (
    <DialogForm
      title={words.applyToTitle(ids.length)}
      submit={words.apply}
      cancel={frame.cancel}
      typed={null}
      error={run.error ?? error}
      isPending={run.isPending}
      disabled={!macro}
      onSubmit={() => macro && run.mutate(macro.id)}
      onClose={onClose}
    >
      {macros?.length === 0 && (
        <p role="status">
          {words.none} {words.howTo}
        </p>
      )}
      {macro && (
        <>
          <NativeSelect
            label={words.which}
            value={macro.id}
            data={(macros ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            data-autofocus
          />
          <MacroSteps steps={macro.steps} />
          {macro.steps.length > 1 && <p className="soft small">{words.stops}</p>}
        </>
      )}
      {run.isPending && (
        <div className="stack-tight">
          <progress max={ids.length} value={count} aria-label={selectionWords.progress} />
          <span role="status" className="soft small">
            {selectionWords.progressText(count, ids.length)}
          </span>
        </div>
      )}
    </DialogForm>
  );
}

type RefusedProps = Readonly<{ outcome: BulkOutcome; count: number; onClose: () => void }>;

function Refused({ outcome: { done, unchanged, failed }, count, onClose }: RefusedProps) {
  return (
    <Dialog title={words.applyToTitle(count)} typed={null} onClose={onClose}>
      <div className="stack">
        <p role="alert">{selectionWords.outcome(done.length - unchanged, unchanged, failed.length)}</p>
        <DataTable
          label={words.refusals}
          rows={failed}
          keyOf={({ id }) => id}
          empty=""
          columns={[
            { id: 'order', name: words.order, cell: ({ id }) => <OrderLink id={id} /> },
            { id: 'reason', name: words.reason, cell: ({ error }) => errorText(error) },
          ]}
        />
        <div className="row end">
          <CancelButton hasFocus>{frame.close}</CancelButton>
        </div>
      </div>
    </Dialog>
  );
}
