type Props = Readonly<{
  /** What is seen: "Send again". */
  text: string;
  /** The name among others of its kind: "Send the ping of ord_1 again". */
  name: string;
}>;

/** The text of a button or link in a table. Its row says what it is for, and for those who do not see the row, its name does. */
export function NamedText({ text, name }: Props) {
  return (
    <>
      <span aria-hidden="true">{text}</span>
      <span className="visually-hidden">{name}</span>
    </>
  );
}
