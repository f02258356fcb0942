import './order-transfer.css';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ExportFormat } from '#desk/order-export.contract';
import { ask } from '../api/http.js';
import type { OrderCondition } from '../api/orders.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { number } from '../words/formats.js';
import { orderTransferWords as words } from './order-transfer-words.js';
import { JobProgress } from './job-progress.js';

const FORMATS: readonly ExportFormat[] = ['csv', 'xlsx', 'ndjson'];

type Props = Readonly<{
  selected: ReadonlySet<string>;
  /** The condition of the list. */
  where: OrderCondition | undefined;
  /** The list is the answer to a search, which has no condition. */
  isSearch: boolean;
  onClose: () => void;
}>;

/** Exports the orders of the list, or the selected ones, and waits for the file. */
export function ExportDialog({ selected, where, isSearch, onClose }: Props) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [onlySelected, setOnlySelected] = useState(selected.size > 0);
  const start = useMutationOnce({
    mutationFn: () => {
      const chosen = onlySelected ? { ids: [...selected] } : where === undefined ? {} : { where };
      return ask('POST jobs', { body: { kind: 'export_orders', ...chosen, arguments: { format } } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <Dialog title={words.exportTitle} typed={null} isPending={start.isPending} onClose={onClose}>
      {start.data ? (
        <div className="stack">
          <JobProgress id={start.data.id} />
          <div className="row end">
            <CancelButton>{words.close}</CancelButton>
          </div>
        </div>
      ) : (
        <form className="stack" onSubmit={submit}>
          <fieldset className="radio-choices">
            <legend>{words.which}</legend>
            {selected.size > 0 && (
              <Choice name="which" checked={onlySelected} onChoose={() => setOnlySelected(true)}>
                {words.exportSelected(number(selected.size))}
              </Choice>
            )}
            <Choice name="which" checked={!onlySelected} disabled={isSearch} onChoose={() => setOnlySelected(false)}>
              {words.exportAll}
            </Choice>
            {isSearch && <p className="soft small">{words.noSearch}</p>}
          </fieldset>
          <fieldset className="radio-choices">
            <legend>{words.format}</legend>
            {FORMATS.map((one) => (
              <Choice key={one} name="format" checked={format === one} onChoose={() => setFormat(one)}>
                <strong>{words.formats[one][0]}</strong> <span className="soft">{words.formats[one][1]}</span>
              </Choice>
            ))}
          </fieldset>
          <p className="soft small">{words.masked}</p>
          {start.error && <Failure error={start.error} />}
          <FormButtons cancel={words.cancel} submit={words.start} isPending={start.isPending} />
        </form>
      )}
    </Dialog>
  );
}

type ChoiceProps = Readonly<{
  name: string;
  checked: boolean;
  disabled?: boolean;
  onChoose: () => void;
  children: ReactNode;
}>;

function Choice({ name, checked, disabled = false, onChoose, children }: ChoiceProps) {
  return (
    <label className="choice">
      <input type="radio" name={name} checked={checked} disabled={disabled} onChange={onChoose} />{' '}
      <span>{children}</span>
    </label>
  );
}
