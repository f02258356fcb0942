import { NativeSelect, TextInput } from '@mantine/core';
import type { ImportField, ListingImportReport } from '#listings/listing-import.contract';
import { DataTable } from '../frame/data-table.js';
import { keysOf } from '../api/keys-of.js';
import { listingsWords } from './listing-words.js';
import { deliveryMethods } from '../words/delivery-methods.js';
import type { DefaultField, ImportAnswers } from './import-file.js';

const words = listingsWords.import;

type Props = Readonly<{
  report: ListingImportReport;
  answers: ImportAnswers;
  onAnswer: (answers: ImportAnswers) => void;
}>;

/** Shows what each column of a CSV file was taken for, and lets a person say otherwise. */
export function ImportColumns({ report, answers, onAnswer }: Props) {
  const taken = report.columns ?? [];
  const rows = [...taken, ...(report.ignored_columns ?? []).map((column) => ({ column, field: '' as const }))];
  if (rows.length === 0) return null;
  const choose = (column: string, field: ImportField | '') => {
    // A field has one column, so another one that was chosen for it gives it up.
    const others = Object.entries(answers.map).filter(
      ([name, other]) => name !== column && (field === '' || other !== field),
    );
    onAnswer({ ...answers, map: { ...Object.fromEntries(others), [column]: field } });
  };
  return (
    <DataTable
      label={words.columns}
      rows={rows}
      keyOf={({ column }) => column}
      empty=""
      columns={[
        { id: 'column', name: words.column, cell: ({ column }) => <span className="mono">{column}</span> },
        {
          id: 'field',
          name: words.takenFor,
          cell: ({ column, field }) => (
            <NativeSelect
              aria-label={words.takenForOf(column)}
              value={field}
              onChange={({ currentTarget }) => choose(column, NAMES.find((name) => name === currentTarget.value) ?? '')}
              data={FIELDS}
            />
          ),
        },
      ]}
    />
  );
}

const NAMES = keysOf(words.fields);

const FIELDS = [
  { value: '', label: words.ignored },
  ...Object.entries(words.fields).map(([value, label]) => ({ value, label })),
];

/** What the lines of the file lack: the fields that every listing needs and no column is. */
export function ImportDefaults({ report, answers, onAnswer }: Props) {
  const has = (field: ImportField) => report.columns?.some((column) => column.field === field) === true;
  const lacking = DEFAULTS.filter((field) => !has(field) && !(field === 'wholesale_price' && has('event')));
  if (!report.columns || lacking.length === 0) return null;
  const change = (field: DefaultField, value: string) =>
    onAnswer({ ...answers, defaults: { ...answers.defaults, [field]: value } });
  return (
    <fieldset className="stack import-defaults">
      <legend>{words.defaults}</legend>
      {lacking.map((field) => {
        const [label, value] = [words.fields[field], answers.defaults[field] ?? ''];
        const options = OPTIONS[field];
        return options ? (
          <NativeSelect
            key={field}
            label={label}
            value={value}
            onChange={({ currentTarget }) => change(field, currentTarget.value)}
            data={[{ value: '', label: words.noDefault }, ...options]}
          />
        ) : (
          <Amount key={`${field} ${value}`} label={label} value={value} onDone={(typed) => change(field, typed)} />
        );
      })}
    </fieldset>
  );
}

type AmountProps = Readonly<{ label: string; value: string; onDone: (typed: string) => void }>;

/** Checks the file again when the field is left, not at each key. */
function Amount({ label, value, onDone }: AmountProps) {
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={value}
      onBlur={({ currentTarget }) => currentTarget.value !== value && onDone(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
    />
  );
}

const DEFAULTS: readonly DefaultField[] = ['fees', 'wholesale_price', 'split_rule', 'delivery_methods'];

const listed = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const OPTIONS: Partial<Record<DefaultField, { value: string; label: string }[]>> = {
  split_rule: listed(listingsWords.form.splits),
  delivery_methods: listed(deliveryMethods),
};
