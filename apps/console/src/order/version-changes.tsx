import { useQuery } from '@tanstack/react-query';
import type { OrderChanges } from '#orders/order.contract';
import { changesQuery } from '../api/desk.js';
import { isObject } from '../api/is-object.js';
import { Failure } from '../frame/failure.js';
import { orderWords as words } from './order-words.js';

type Props = Readonly<{ id: string; from: number; to: number }>;

/** What differs between two versions of the order, and the events between them. */
export function VersionChanges({ id, from, to }: Props) {
  const { data, error, refetch } = useQuery(changesQuery(id, from, to));
  return (
    <section className="version-changes" aria-label={words.compare.title(from, to)}>
      <h2>{words.compare.title(from, to)}</h2>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data && (
        <>
          <p className="soft small">{data.events.map(({ position, type }) => `${position} ${type}`).join(' · ')}</p>
          <table className="changes">
            <thead>
              <tr>
                <th scope="col">{words.compare.field}</th>
                <th scope="col">{words.compare.version(from)}</th>
                <th scope="col">{words.compare.version(to)}</th>
              </tr>
            </thead>
            <tbody>
              {data.changes.flatMap(leaves).map(({ path, before, after }) => (
                <tr key={path}>
                  <th scope="row" className="mono">
                    {path.slice(1).replaceAll('/', ' › ')}
                  </th>
                  <td>{valueText(before)}</td>
                  <td>{valueText(after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

type Change = OrderChanges['changes'][number];

/** One row for each value of an object that was added or removed as a whole. */
function leaves({ path, before, after }: Change): Change[] {
  const value = before ?? after;
  if (!isObject(value) || (before !== null && after !== null)) return [{ path, before, after }];
  return Object.entries(value).flatMap(([name, part]) =>
    leaves({ path: `${path}/${name}`, before: before === null ? null : part, after: after === null ? null : part }),
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
