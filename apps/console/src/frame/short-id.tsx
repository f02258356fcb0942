const HEAD = 8;
const TAIL = 4;

/** Draws an id without its middle. Screen readers, search and copying get the whole id. */
export function ShortId({ id }: Readonly<{ id: string }>) {
  if (id.length <= HEAD + TAIL + 2) return <span className="id">{id}</span>;
  return (
    <span className="id">
      {id.slice(0, HEAD)}
      <span className="id-middle">{id.slice(HEAD, -TAIL)}</span>
      {id.slice(-TAIL)}
    </span>
  );
}
