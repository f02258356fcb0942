type Props = Readonly<{
  text: string;
  /** Parts that were searched for, in any case. Those that the text does not have are left out. */
  parts: readonly string[];
}>;

/** A text whose first occurrence of each part is marked. */
export function Marked({ text, parts }: Props) {
  const lower = text.toLowerCase();
  const spans = parts
    .map((part) => ({ from: lower.indexOf(part.toLowerCase()), length: part.length }))
    .filter(({ from, length }) => from >= 0 && length > 0)
    .toSorted((one, other) => one.from - other.from || other.length - one.length);
  const pieces = [];
  let end = 0;
  for (const { from, length } of spans) {
    if (from < end) continue;
    pieces.push(text.slice(end, from), <mark key={from}>{text.slice(from, from + length)}</mark>);
    end = from + length;
  }
  return (
    <>
      {pieces}
      {text.slice(end)}
    </>
  );
}
