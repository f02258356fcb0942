import './macros.css';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Macro } from '#desk/macro.contract';
import { macrosQuery, removeMacro } from '../api/macros.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { frame } from '../words/frame.js';
import { MacroForm } from './macro-form.js';
import { MacroSteps } from './macro-steps.js';
import { macroWords as words } from './macro-words.js';

type Open = 'list' | 'new' | Readonly<{ edit: Macro }> | Readonly<{ remove: Macro }>;

/** The macros that all staff share: to make, change and delete them. */
export function MacrosDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const [open, setOpen] = useState<Open>('list');
  const back = () => setOpen('list');
  if (open === 'new') return <MacroForm macro={undefined} onClose={back} />;
  if (open === 'list') return <MacroList onOpen={setOpen} onClose={onClose} />;
  return 'edit' in open ? (
    <MacroForm macro={open.edit} onClose={back} />
  ) : (
    <RemoveDialog macro={open.remove} onClose={back} />
  );
}

type ListProps = Readonly<{ onOpen: (open: Open) => void; onClose: () => void }>;

function MacroList({ onOpen, onClose }: ListProps) {
  const { data: macros, error, refetch } = useQuery(macrosQuery);
  return (
    <Dialog title={words.title} size="lg" typed={null} onClose={onClose}>
      <div className="stack">
        <p className="soft small">{words.hint}</p>
        {error && <Failure error={error} retry={() => void refetch()} />}
        {macros?.length === 0 && <p role="status">{words.none}</p>}
        <ul className="macro-list" aria-label={words.title}>
          {macros?.map((macro) => (
            <li key={macro.id}>
              <div>
                <strong>{macro.name}</strong>
                <div className="soft small">
                  <MacroSteps steps={macro.steps} />
                </div>
              </div>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={words.editOf(macro.name)}
                onClick={() => onOpen({ edit: macro })}
              >
                {words.edit}
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={words.removeOf(macro.name)}
                onClick={() => onOpen({ remove: macro })}
              >
                {words.remove}
              </Button>
            </li>
          ))}
        </ul>
        <div className="row end">
          <CancelButton>{frame.close}</CancelButton>
          <Button onClick={() => onOpen('new')} data-autofocus>
            {words.add}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function RemoveDialog({ macro, onClose }: Readonly<{ macro: Macro; onClose: () => void }>) {
  const client = useQueryClient();
  const remove = useMutationOnce({
    mutationFn: () => removeMacro(macro.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: macrosQuery.queryKey });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={words.removeTitle(macro.name)}
      apply={words.removeApply}
      cancel={frame.cancel}
      error={remove.error}
      busy={remove.isPending}
      isFinal
      onApply={() => remove.mutate()}
      onClose={onClose}
    >
      {words.removeText}
    </ConfirmDialog>
  );
}
