import { Button, Textarea } from '@mantine/core';
import { CloseIcon } from '../frame/icons.js';
import { FILTER_FIELDS, isFilterField } from '../orders/order-condition.js';
import { filterWords } from '../orders/orders-words.js';
import { wordFor } from '../words/word-for.js';
import { fraudFieldNames, screeningWords as words } from './screening-words.js';
import { type ConditionRow, type ConditionRows, FIELDS, kindOf, type RuleField, ruleOpsOf } from './condition-rows.js';

/** A condition in a form: rows of comparisons, or the text of what rows cannot show. */
export type ConditionDraft = Readonly<{ rows: ConditionRows; text: string | null }>;

type Props = Readonly<{
  kind: keyof typeof FIELDS;
  draft: ConditionDraft;
  error: string | undefined;
  onChange: (draft: ConditionDraft) => void;
}>;

const NAMES: Readonly<Record<string, string>> = { ...filterWords.field, ...fraudFieldNames };

export function ConditionEditor({ kind, draft, error, onChange }: Props) {
  const { rows, text } = draft;
  if (text !== null) {
    return (
      <Textarea
        label={words.written}
        description={words.writtenHint}
        classNames={{ input: 'mono' }}
        autosize
        minRows={4}
        spellCheck={false}
        value={text}
        error={error}
        onChange={({ currentTarget }) => onChange({ rows, text: currentTarget.value })}
      />
    );
  }
  const set = (changed: readonly ConditionRow[]) => onChange({ rows: { ...rows, rows: changed }, text: null });
  const [first = 'total'] = FIELDS[kind];
  return (
    <fieldset className="condition-rows">
      <legend>{words.join}</legend>
      {rows.rows.length > 1 && (
        <select
          aria-label={words.join}
          value={rows.join}
          onChange={({ currentTarget }) =>
            onChange({ rows: { ...rows, join: currentTarget.value === 'or' ? 'or' : 'and' }, text: null })
          }
        >
          <option value="and">{words.all}</option>
          <option value="or">{words.any}</option>
        </select>
      )}
      {rows.rows.map((row, index) => (
        <Row
          // Rows have no identity of their own.
          key={`${index} ${row.field}`}
          fields={FIELDS[kind].includes(row.field) ? FIELDS[kind] : [row.field, ...FIELDS[kind]]}
          row={row}
          position={index + 1}
          onChange={(changed) => set(rows.rows.map((one, place) => (place === index ? changed : one)))}
          {...(rows.rows.length > 1 && { onRemove: () => set(rows.rows.filter((_, place) => place !== index)) })}
        />
      ))}
      {error !== undefined && (
        <p role="alert" className="field-error">
          {error}
        </p>
      )}
      <Button variant="default" size="compact-sm" onClick={() => set([...rows.rows, newRow(first)])}>
        + {words.addCondition}
      </Button>
    </fieldset>
  );
}

export function newRow(field: RuleField): ConditionRow {
  const op = ruleOpsOf(field)[0] ?? '=';
  return { field, op, value: optionsOf(field, op)?.[0]?.[0] ?? '' };
}

/** With a value that the comparison can have. */
function compared({ field, op: before, value }: ConditionRow, op: string): ConditionRow {
  const options = optionsOf(field, op);
  if (options) return { field, op, value: options.find(([one]) => one === value)?.[0] ?? options[0]?.[0] ?? '' };
  return { field, op, value: optionsOf(field, before) ? '' : value };
}

type RowProps = Readonly<{
  fields: readonly RuleField[];
  row: ConditionRow;
  position: number;
  onChange: (row: ConditionRow) => void;
  onRemove?: () => void;
}>;

function Row({ fields, row, position, onChange, onRemove }: RowProps) {
  const { field, op } = row;
  return (
    <div className="condition-row">
      <select
        aria-label={`${words.field} ${position}`}
        value={field}
        onChange={({ currentTarget }) => onChange(newRow(fields.find((one) => one === currentTarget.value) ?? field))}
      >
        {fields.map((one) => (
          <option key={one} value={one}>
            {NAMES[one] ?? one}
          </option>
        ))}
      </select>
      <select
        aria-label={`${words.comparison} ${position}`}
        value={op}
        onChange={({ currentTarget }) => onChange(compared(row, currentTarget.value))}
      >
        {ruleOpsOf(field).map((one) => (
          <option key={one} value={one}>
            {wordFor(filterWords.op, one) ?? one}
          </option>
        ))}
      </select>
      <Value row={row} label={`${words.value} ${position}`} onChange={(value) => onChange({ ...row, value })} />
      {onRemove && (
        <button type="button" className="icon-button" aria-label={words.removeCondition(position)} onClick={onRemove}>
          <CloseIcon />
        </button>
      )}
    </div>
  );
}

type ValueProps = Readonly<{ row: ConditionRow; label: string; onChange: (value: string) => void }>;

function Value({ row: { field, op, value }, label, onChange }: ValueProps) {
  const kind = kindOf(field);
  const options = optionsOf(field, op);
  if (options) {
    return (
      <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      aria-label={label}
      type={kind === 'time' ? 'date' : 'text'}
      inputMode={kind === 'number' || kind === 'count' ? 'decimal' : 'text'}
      placeholder={op === 'in' ? words.values : ''}
      value={kind === 'time' ? value.slice(0, 10) : value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function optionsOf(field: RuleField, op: string): readonly (readonly [string, string])[] | undefined {
  if (op === 'is_null') {
    return [
      ['true', filterWords.op.is_null],
      ['false', filterWords.notNull],
    ];
  }
  if (kindOf(field) === 'yes_no') {
    return [
      ['true', words.yes],
      ['false', words.no],
    ];
  }
  const shape = isFilterField(field) ? FILTER_FIELDS[field] : undefined;
  if (shape?.kind !== 'choice') return undefined;
  return shape.options.map((option) => [option, filterWords.option[option]] as const);
}
