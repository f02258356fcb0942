import { Textarea } from '@mantine/core';
import { LONGEST_CHANGE_NOTE } from '#orders/order.limits';

type Props = Readonly<{
  label: string;
  /** Who will see it. */
  hint: string;
  note: string;
  error?: string | false;
  onChange: (note: string) => void;
  hasFocus?: boolean;
}>;

/** A note that is stored with what a dialog does. */
export function NoteField({ label, hint, note, error = false, onChange, hasFocus = false }: Props) {
  return (
    <Textarea
      label={label}
      description={hint}
      rows={2}
      maxLength={LONGEST_CHANGE_NOTE}
      value={note}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...(hasFocus && { 'data-autofocus': true })}
    />
  );
}
