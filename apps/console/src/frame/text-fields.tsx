import { TextInput } from '@mantine/core';

type Text = Readonly<{ label: string; description?: string; inputMode?: 'numeric' | 'url' | 'email' }>;

type Props<Field extends string> = Readonly<{
  texts: Readonly<Record<Field, Text>>;
  fields: readonly Field[];
  typed: Readonly<Record<Field, string>>;
  errors: Partial<Record<Field, string>>;
  onType: (typed: Record<Field, string>) => void;
}>;

/** The text fields of a form in a dialog. The first has the focus. */
export function TextFields<Field extends string>({ texts, fields, typed, errors, onType }: Props<Field>) {
  return fields.map((field, index) => (
    <TextInput
      key={field}
      {...texts[field]}
      autoComplete="off"
      value={typed[field]}
      error={errors[field]}
      onChange={({ currentTarget }) => onType({ ...typed, [field]: currentTarget.value })}
      {...(index === 0 && { 'data-autofocus': true })}
    />
  ));
}
