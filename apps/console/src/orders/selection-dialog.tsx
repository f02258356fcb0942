import { type FormEvent, type ReactNode, useState } from 'react';
import { type BulkOutcome, changeAssignee, changeDesks, changeTags } from '../api/bulk.js';
import { Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { frame } from '../words/frame.js';
import { selectionWords as words } from '../words/order-selection.js';
import { AssigneeField, TagFields } from '../frame/desk-fields.js';
import { tagsIn } from '../words/tags-in.js';

type Props = Readonly<{
  asked: 'tag' | 'assign';
  ids: readonly string[];
  onEnd: (outcome: BulkOutcome) => void;
  onClose: () => void;
}>;

/** Changes all selected orders, one after the other. */
export function SelectionDialog(props: Props) {
  return props.asked === 'tag' ? <TagForm {...props} /> : <AssignForm {...props} />;
}

function TagForm(props: Props) {
  const [typed, setTyped] = useState({ add: '', remove: '' });
  const [missing, setMissing] = useState('');
  const tags = { add: tagsIn(typed.add), remove: tagsIn(typed.remove) };
  const check = () => {
    const isMissing = tags.add.length + tags.remove.length === 0;
    setMissing(isMissing ? words.tagMissing : '');
    return !isMissing;
  };
  return (
    <BulkForm
      {...props}
      title={words.tagTitle(props.ids.length)}
      typed={typed}
      submit={words.tagApply}
      change={changeTags(tags)}
      check={check}
    >
      <TagFields tags={typed} error={missing} onChange={setTyped} />
    </BulkForm>
  );
}

function AssignForm(props: Props) {
  const [assignee, setAssignee] = useState('');
  return (
    <BulkForm
      {...props}
      title={words.assignTitle(props.ids.length)}
      typed={assignee}
      submit={words.assignApply}
      change={changeAssignee(assignee === '' ? null : assignee)}
      check={() => true}
    >
      <AssigneeField assignee={assignee} onChange={setAssignee} />
    </BulkForm>
  );
}

type FormProps = Props &
  Readonly<{
    title: string;
    typed: unknown;
    submit: string;
    change: Parameters<typeof changeDesks>[1];
    check: () => boolean;
    children: ReactNode;
  }>;

function BulkForm({ ids, title, typed, submit, change, check, children, onEnd, onClose }: FormProps) {
  const [count, setCount] = useState(0);
  const run = useMutationOnce({ mutationFn: () => changeDesks(ids, change, setCount), onSuccess: onEnd });
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (check()) run.mutate();
  };
  return (
    <Dialog title={title} typed={typed} isPending={run.isPending} onClose={onClose}>
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
        <FormButtons cancel={frame.cancel} submit={submit} isPending={run.isPending} />
      </form>
    </Dialog>
  );
}
