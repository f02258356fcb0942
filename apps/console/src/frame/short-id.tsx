import { Marked } from './marked.js';

const HEAD = 8;
// As many as a search finds an order by.
const TAIL = 6;

type Props = Readonly<{
  id: string;
  /** The beginning or end that was searched for. */
  parts?: readonly string[];
}>;

const NONE: readonly string[] = [];

/** Draws an id without its middle. Screen readers, search and copying get the whole id. */
export function ShortId({ id, parts = NONE }: Props) {
  if (id.length <= HEAD + TAIL + 2) {
    return (
      <span className="id">
        <Marked text={id} parts={parts} />
      </span>
    );
  }
  const heads = parts.filter((part) => id.startsWith(part)).map((part) => part.slice(0, HEAD));
  const tails = parts.filter((part) => id.endsWith(part)).map((part) => part.slice(-TAIL));
  return (
    <span className="id">
      <Marked text={id.slice(0, HEAD)} parts={heads} />
      <span className="id-middle">{id.slice(HEAD, -TAIL)}</span>
      <Marked text={id.slice(-TAIL)} parts={tails} />
    </span>
  );
}
