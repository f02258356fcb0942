import './macros.css';
import { useQueryClient } from '@tanstack/react-query';
import type { Macro, MacroResult } from '#desk/macro.contract';
import { applyMacro } from '../api/macros.js';
import { refusalText } from '../api/refusal-text.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { DialogForm } from '../frame/dialog-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { frame } from '../words/frame.js';
import { MacroSteps } from './macro-steps.js';
import { macroWords as words } from './macro-words.js';

type Props = Readonly<{
  orderId: string;
  macro: Macro;
  onClose: () => void;
  /** All steps are done, or were so already. */
  onDone: (news: string) => void;
}>;

/** Says what a macro will do to an order, and does it. A step that is refused is shown with its reason. */
export function MacroDialog({ orderId, macro, onClose, onDone }: Props) {
  const client = useQueryClient();
  const run = useMutationOnce({
    mutationFn: () => applyMacro(orderId, macro.id),
    onSuccess: ({ steps }) => {
      const isDone = steps.some(({ outcome }) => outcome === 'done');
      if (!isRefused(steps)) onDone(isDone ? words.done(macro.name) : words.nothing(macro.name));
    },
    onSettled: () => client.invalidateQueries(),
  });
  if (run.data && isRefused(run.data.steps)) return <Refused macro={macro} steps={run.data.steps} onClose={onClose} />;
  return (
    <DialogForm
      title={words.applyTitle(macro.name)}
      submit={words.apply}
      cancel={frame.cancel}
      typed={null}
      error={run.error}
      isPending={run.isPending}
      onSubmit={() => run.mutate()}
      onClose={onClose}
    >
      <MacroSteps steps={macro.steps} />
      {macro.steps.length > 1 && <p className="soft small">{words.stops}</p>}
    </DialogForm>
  );
}

const isRefused = (steps: MacroResult['steps']) => steps.some(({ outcome }) => outcome === 'refused');

type RefusedProps = Readonly<{ macro: Macro; steps: MacroResult['steps']; onClose: () => void }>;

function Refused({ macro, steps, onClose }: RefusedProps) {
  return (
    <Dialog title={words.applyTitle(macro.name)} typed={null} onClose={onClose}>
      <div className="stack">
        <div className="alert" role="alert">
          <p>{words.refused(macro.name)}</p>
          <ul className="macro-steps">
            {steps.map(({ type, outcome, errors = [] }, place) => (
              <li key={type}>
                {words.steps[macro.steps[place]?.type ?? 'note']}: {words.outcomes[outcome]}.{' '}
                {errors.map(({ message }) => refusalText(message)).join(' ')}
              </li>
            ))}
          </ul>
        </div>
        <div className="row end">
          <CancelButton hasFocus>{frame.close}</CancelButton>
        </div>
      </div>
    </Dialog>
  );
}
