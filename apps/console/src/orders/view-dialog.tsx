import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { addView, removeView, replaceView, viewsQuery } from '../api/views.js';
import { Dialog } from '../frame/dialog.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { frame } from '../words/frame.js';
import { viewWords as words } from './view-words.js';
import type { ListState } from './list-address.js';
import type { ViewChoice } from './use-views.js';
import { LONGEST_VIEW_NAME } from '#desk/desk.limits';
import { EMPTY, stateOfView, viewBody } from './view-state.js';

type Props = Readonly<{
  asked: 'new' | 'edit' | 'remove';
  state: ListState;
  choice: ViewChoice;
  onShow: (state: ListState) => void;
  onClose: () => void;
}>;

/** Saves what the list shows as a view, changes the open view, or deletes it after a question. */
export function ViewDialog(props: Props) {
  return props.asked === 'remove' ? <RemoveDialog {...props} /> : <SaveDialog {...props} />;
}

function SaveDialog({ asked, state, choice: { current, hidden }, onShow, onClose }: Props) {
  const client = useQueryClient();
  const edited = asked === 'edit' ? current : undefined;
  const [name, setName] = useState(edited?.name ?? '');
  const [shared, setShared] = useState(edited?.shared ?? false);
  const [missing, setMissing] = useState('');
  const save = useMutationOnce({
    mutationFn: () => {
      const body = viewBody({ name: name.trim(), shared }, state, hidden, new Date());
      return edited ? replaceView(edited.id, body) : addView(body);
    },
    onSuccess: async (view) => {
      client.setQueryData(viewsQuery.queryKey, (views = []) => [...views.filter(({ id }) => id !== view.id), view]);
      onShow(stateOfView(view));
      onClose();
      await client.invalidateQueries({ queryKey: viewsQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === '' ? words.nameMissing : '');
    if (name.trim() !== '') save.mutate();
  };
  return (
    <Dialog
      title={edited ? words.editTitle : words.dialogTitle}
      typed={{ name, shared }}
      isPending={save.isPending}
      onClose={onClose}
    >
      <form className="stack" onSubmit={submit} noValidate>
        <TextInput
          label={words.name}
          value={name}
          error={missing}
          maxLength={LONGEST_VIEW_NAME}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        <Checkbox
          size="xs"
          label={words.share}
          checked={shared}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
        <p className="soft small">{words.keeps}</p>
        {save.error && <Failure error={save.error} />}
        <FormButtons cancel={frame.cancel} submit={words.save} isPending={save.isPending} />
      </form>
    </Dialog>
  );
}

function RemoveDialog({ choice: { current }, onShow, onClose }: Props) {
  const client = useQueryClient();
  const remove = useMutationOnce({
    mutationFn: () => removeView(current?.id ?? ''),
    onSuccess: () => {
      client.setQueryData(viewsQuery.queryKey, (views = []) => views.filter(({ id }) => id !== current?.id));
      onShow(EMPTY);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={words.removeTitle(current?.name ?? '')}
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
