import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { frame } from '../words/frame.js';
import { wordFor } from '../words/word-for.js';
import { filterWords, ordersWords as words } from './orders-words.js';
import { type Filter, FILTER_FIELDS, type FilterOp, opsOf } from './order-condition.js';

type Props = Readonly<{ filter: Filter; onApply: (filter: Filter) => void; onCancel: () => void }>;

const NULL_VALUES = ['none', 'some'] as const;

export function FilterEditor({ filter, onApply, onCancel }: Props) {
  const { field } = filter;
  const { kind } = FILTER_FIELDS[field];
  const ops = opsOf(field);
  const [op, setOp] = useState<FilterOp>(ops.includes(filter.op) ? filter.op : (ops[0] ?? '='));
  const [values, setValues] = useState<readonly string[]>(filter.values);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (op === 'is_null') return onApply({ field, op, values: [values[0] === 'some' ? 'some' : 'none'] });
    const filled = values.map((value) => value.trim()).filter((value) => value !== '');
    onApply({ field, op: op === 'in' && filled.length === 1 ? '=' : op, values: filled });
  };
  return (
    <form className="filter-editor" onSubmit={submit}>
      <label>
        <span className="visually-hidden">{filterWords.condition}</span>
        <strong>{filterWords.field[field]}</strong>{' '}
        <select
          value={op}
          onChange={({ currentTarget }) => setOp(ops.find((one) => one === currentTarget.value) ?? op)}
        >
          {ops.map((one) => (
            <option key={one} value={one}>
              {(kind === 'time' ? wordFor(filterWords.timeOp, one) : undefined) ?? filterWords.op[one]}
            </option>
          ))}
        </select>
      </label>
      {op === 'is_null' ? (
        <select
          aria-label={filterWords.value}
          value={values[0] === 'some' ? 'some' : 'none'}
          onChange={({ currentTarget }) => setValues([currentTarget.value])}
        >
          {NULL_VALUES.map((value) => (
            <option key={value} value={value}>
              {value === 'none' ? filterWords.op.is_null : filterWords.notNull}
            </option>
          ))}
        </select>
      ) : (
        <ValueField filter={{ field, op, values }} onChange={setValues} />
      )}
      <div className="row">
        <Button type="submit">{words.apply}</Button>
        <Button variant="default" onClick={onCancel}>
          {frame.cancel}
        </Button>
      </div>
    </form>
  );
}

function ValueField({ filter, onChange }: Readonly<{ filter: Filter; onChange: (values: readonly string[]) => void }>) {
  const { field, op, values } = filter;
  const shape = FILTER_FIELDS[field];
  if (shape.kind === 'choice' || shape.kind === 'yes_no') {
    const toggle = (option: string) =>
      onChange(values.includes(option) ? values.filter((value) => value !== option) : [...values, option]);
    return (
      <fieldset>
        <legend className="visually-hidden">{filterWords.field[field]}</legend>
        {shape.options.map((option) => (
          <label key={option} className="choice">
            <input
              type={op === 'in' ? 'checkbox' : 'radio'}
              name="value"
              checked={values.includes(option)}
              onChange={() => (op === 'in' ? toggle(option) : onChange([option]))}
            />
            {filterWords.option[option] ?? option}
          </label>
        ))}
      </fieldset>
    );
  }
  if (shape.kind === 'time') {
    return (
      <div className="stack">
        <input
          type="date"
          aria-label={filterWords.value}
          value={/^\d{4}-/.test(values[0] ?? '') ? values[0]?.slice(0, 10) : ''}
          onChange={({ currentTarget }) => onChange([currentTarget.value])}
        />
        <div className="row">
          {Object.entries(filterWords.days).map(([value, name]) => (
            <button
              key={value}
              type="button"
              className="preset"
              aria-pressed={values[0] === value}
              onClick={() => onChange([value])}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
    );
  }
  const single = shape.kind === 'number' || op !== 'in';
  return (
    <input
      aria-label={single ? filterWords.value : filterWords.values}
      placeholder={single ? '' : filterWords.values}
      inputMode={shape.kind === 'number' ? 'decimal' : 'text'}
      value={values.join(',')}
      onChange={({ currentTarget }) => onChange(single ? [currentTarget.value] : currentTarget.value.split(','))}
    />
  );
}
