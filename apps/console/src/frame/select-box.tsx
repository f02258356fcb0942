type Props = Readonly<{
  name: string;
  checked: boolean;
  /** `isRange`: Shift is held down, which selects all rows up to this one. */
  onSelect: (isRange: boolean) => void;
}>;

/** The checkbox that selects a row of a list. */
export function SelectBox({ name, checked, onSelect }: Props) {
  return (
    <input
      type="checkbox"
      aria-label={name}
      checked={checked}
      onChange={({ nativeEvent }) => onSelect(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  );
}
