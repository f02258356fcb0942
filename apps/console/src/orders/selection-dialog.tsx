import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AssigneeList } from '#contracts/backoffice/order-desk';
import { type BulkOutcome, changeAssignee, changeDesks, changeTags } from '../api/bulk.js';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { useHiddenBackground } from '../frame/use-hidden-background.js';
import { frame } from '../words/frame.js';
import { selectionWords as words } from '../words/selection.js';

type Props = Readonly<{
  asked: 'tag' | 'assign';
  ids: readonly string[];
  onEnd: (outcome: BulkOutcome) => void;
  onClose: () => void;
}>;

/** Changes all selected orders, one after the other. */
export function SelectionDialog(props: Props) {
  useHiddenBackground();
  return props.asked === 'tag' ? <TagForm {...props} /> : <AssignForm {...props} />;
}

const tagsIn = (text: string) =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

function TagForm(props: Props) {
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const [missing, setMissing] = useState('');
  const tags = { add: tagsIn(added), remove: tagsIn(removed) };
  const check = () => {
    const isMissing = tags.add.length + tags.remove.length === 0;
    setMissing(isMissing ? words.tagMissing : '');
    return !isMissing;
  };
  return (
    <BulkForm
      {...props}
      title={words.tagTitle(props.ids.length)}
      submit={words.tagApply}
      change={changeTags(tags)}
      check={check}
    >
      <TextInput
        label={words.tagsToAdd}
        description={words.tagsHint}
        value={added}
        error={missing}
        maxLength={500}
        onChange={({ currentTarget }) => setAdded(currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={words.tagsToRemove}
        value={removed}
        maxLength={500}
        onChange={({ currentTarget }) => setRemoved(currentTarget.value)}
      />
    </BulkForm>
  );
}

function AssignForm(props: Props) {
  const [assignee, setAssignee] = useState('');
  const { data, error, refetch } = useQuery({
    queryKey: ['assignees'],
    queryFn: ({ signal }) => ask<AssigneeList>('assignees', { signal }),
  });
  const options = (data?.assignees ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <BulkForm
      {...props}
      title={words.assignTitle(props.ids.length)}
      submit={words.assignApply}
      change={changeAssignee(assignee === '' ? null : assignee)}
      check={() => data !== undefined}
    >
      {error && <Failure error={error} retry={() => void refetch()} />}
      <NativeSelect
        label={words.assignee}
        value={assignee}
        onChange={({ currentTarget }) => setAssignee(currentTarget.value)}
        data={[{ value: '', label: words.nobody }, ...options]}
        data-autofocus
      />
    </BulkForm>
  );
}

type FormProps = Props &
  Readonly<{
    title: string;
    submit: string;
    change: Parameters<typeof changeDesks>[1];
    check: () => boolean;
    children: ReactNode;
  }>;

function BulkForm({ ids, title, submit, change, check, children, onEnd, onClose }: FormProps) {
  const [count, setCount] = useState(0);
  const run = useMutation({ mutationFn: () => changeDesks(ids, change, setCount), onSuccess: onEnd });
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (check()) run.mutate();
  };
  return (
    <Modal opened onClose={run.isPending ? () => undefined : onClose} title={title}>
      <form className="stack" onSubmit={start} noValidate>
        {children}
        {run.isPending && (
          <div className="stack-tight">
            <progress max={ids.length} value={count} aria-label={words.progress} />
            <span role="status" className="soft small">
              {words.progressText(count, ids.length)}
            </span>
          </div>
        )}
        {run.error && <Failure error={run.error} />}
        <FormButtons cancel={frame.cancel} submit={submit} isPending={run.isPending} onCancel={onClose} />
      </form>
    </Modal>
  );
}
