import { useShow } from '../api/show-names.js';
import { timeAtVenue, venueTime } from '../words/formats.js';
import { Marked } from './marked.js';

type Props = Readonly<{
  id: string;
  /** What was searched for in its name. */
  parts?: readonly string[];
  className?: string;
}>;

/** A show in a row of a list: its name and time, or its id until they are known. */
export function ShowName({ id, parts = [], className = '' }: Props) {
  const show = useShow(id);
  if (!show) return <span className={`${className} soft`}>{id}</span>;
  return (
    <span className={className} title={show.title}>
      <Marked text={show.title} parts={parts} />{' '}
      <span className="soft" title={timeAtVenue(show.datetime_local)}>
        · {venueTime(show.datetime_local)}
      </span>
    </span>
  );
}
