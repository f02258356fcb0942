import { Button, TextInput } from '@mantine/core';
import { listingsWords } from './listing-words.js';
import type { PlaceRow } from './listing-rows.js';

const { places: words } = listingsWords.form;

type Props = Readonly<{
  legend: string;
  hint: string;
  /** What an amount is, such as `Cost`. */
  amount: string;
  rows: readonly PlaceRow[];
  onChange: (rows: PlaceRow[]) => void;
}>;

/** Amounts that differ by country or state. */
export function PlaceAmounts({ legend, hint, amount, rows, onChange }: Props) {
  const change = (index: number, part: Partial<PlaceRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <fieldset className="place-amounts">
      <legend className="small">{legend}</legend>
      {rows.length > 0 && <p className="soft small">{hint}</p>}
      {rows.map((row, index) => (
        <div key={index} className="place-row">
          <TextInput
            aria-label={words.placeOf(legend, index + 1)}
            placeholder={words.example}
            value={row.place}
            onChange={({ currentTarget }) => change(index, { place: currentTarget.value })}
          />
          <TextInput
            aria-label={words.amountOf(legend, amount, index + 1)}
            placeholder={amount}
            inputMode="decimal"
            value={row.amount}
            onChange={({ currentTarget }) => change(index, { amount: currentTarget.value })}
          />
          <Button
            variant="default"
            size="compact-sm"
            aria-label={words.removeOf(legend, index + 1)}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            {words.remove}
          </Button>
        </div>
      ))}
      <button
        type="button"
        className="link-button small"
        aria-label={words.addTo(legend)}
        onClick={() => onChange([...rows, { place: '', amount: '' }])}
      >
        {words.add}
      </button>
    </fieldset>
  );
}
