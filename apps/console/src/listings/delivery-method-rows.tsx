import { Button, NativeSelect, TextInput } from '@mantine/core';
import { listingsWords } from './listing-words.js';
import { deliveryMethods } from '../words/delivery-methods.js';
import { type DeliveryMethodRow, FORMS_OF } from './listing-rows.js';
import { PlaceAmounts } from './place-amounts.js';

const { deliveries: words, places } = listingsWords.form;
const TYPES = Object.keys(deliveryMethods);

type Props = Readonly<{
  rows: readonly DeliveryMethodRow[];
  error: string | undefined;
  onChange: (rows: DeliveryMethodRow[]) => void;
}>;

/** How the tickets of a listing can be delivered. Each type is there once at most. */
export function DeliveryMethodRows({ rows, error, onChange }: Props) {
  const change = (index: number, part: Partial<DeliveryMethodRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const unused = TYPES.find((type) => rows.every((row) => row.type !== type));
  return (
    <fieldset className="deliveries">
      <legend>{words.legend}</legend>
      {rows.map((row, index) => (
        <div key={index} className="delivery">
          <div className="delivery-row">
            <NativeSelect
              label={words.type}
              value={row.type}
              data={Object.entries(deliveryMethods).map(([value, label]) => ({ value, label }))}
              onChange={({ currentTarget }) => change(index, { type: currentTarget.value, form: '' })}
            />
            <TextInput
              label={words.name}
              value={row.name}
              onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
            />
            {FORMS_OF[row.type] && (
              <NativeSelect
                label={words.form}
                value={row.form}
                data={formsOf(row.type)}
                onChange={({ currentTarget }) => change(index, { form: currentTarget.value })}
              />
            )}
            <TextInput
              label={words.cost}
              inputMode="decimal"
              value={row.cost}
              onChange={({ currentTarget }) => change(index, { cost: currentTarget.value })}
            />
            <Button
              variant="default"
              aria-label={words.removeOf(deliveryMethods[row.type] ?? row.type)}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              {places.remove}
            </Button>
          </div>
          <PlaceAmounts
            legend={words.costsOf(deliveryMethods[row.type] ?? row.type)}
            hint={words.costsHint}
            amount={words.cost}
            rows={row.places}
            onChange={(costs) => change(index, { places: costs })}
          />
        </div>
      ))}
      {error !== undefined && <p className="field-error">{error}</p>}
      {unused !== undefined && (
        <button
          type="button"
          className="link-button"
          onClick={() =>
            onChange([...rows, { type: unused, name: deliveryMethods[unused] ?? '', form: '', cost: '0', places: [] }])
          }
        >
          {words.add}
        </button>
      )}
    </fieldset>
  );
}

function formsOf(type: string) {
  return (FORMS_OF[type] ?? []).map((form, index) => ({ value: index === 0 ? '' : form, label: words.forms[form] }));
}
