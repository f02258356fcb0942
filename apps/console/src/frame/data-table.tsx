import { type ReactNode, useEffect, useRef } from 'react';
import { frame } from '../words/frame.js';
import { Failure } from './failure.js';
import { SkeletonRows } from './skeleton-rows.js';
import { Stale } from './stale.js';

/** What a table has to know of its query. */
export type Asked = Readonly<{
  isPending: boolean;
  error: Error | null;
  refetch: () => unknown;
  /** The rows are those of an earlier question. */
  isPlaceholderData?: boolean;
}>;

type Column<Row> = Readonly<{
  id: string;
  name: string;
  /** Stands at the top in place of the name. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  end?: boolean;
}>;

type Props<Row> = Readonly<{
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The text if there are no rows. */
  empty: string;
  /** Where the rows come from. A failure stands above the rows that are known, and never looks like an empty list. */
  query?: Asked;
  /** The index of the row that the keyboard acts on. */
  active?: number;
}>;

/** A plain table for lists of a few hundred rows. On a phone each row is a card, with the names of the columns before their values. */
export function DataTable<Row>({ query, ...table }: Props<Row>) {
  const error = query?.error ?? null;
  return (
    <>
      {query && error && <Failure error={error} retry={() => void query.refetch()} />}
      {table.rows.length > 0 ? (
        <Stale when={query?.isPlaceholderData === true}>
          <Rows {...table} />
        </Stale>
      ) : query?.isPending ? (
        <SkeletonRows />
      ) : (
        !error && <Empty {...table} />
      )}
    </>
  );
}

function Empty({ empty }: Readonly<{ empty: string }>) {
  return (
    <p className="empty" role="status">
      {empty}
    </p>
  );
}

function Rows<Row>({ label, columns, rows, keyOf, active }: Props<Row>) {
  const activeRow = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    activeRow.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="data" aria-label={label} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ id, name, head, end }) => (
              <th key={id} scope="col" role="columnheader" className={end ? 'end' : ''}>
                {head ?? (name === '' ? <span className="visually-hidden">{frame.actions}</span> : name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr key={keyOf(row)} role="row" {...(index === active && { ref: activeRow, className: 'active' })}>
              {columns.map(({ id, name, cell, end }) => (
                <td key={id} className={end ? 'end' : ''} role="cell" data-name={name}>
                  {inCell(cell(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Several elements of one cell stay together on a phone, where the name of the column stands beside them. */
const inCell = (content: ReactNode) =>
  content === null || content === undefined || content === false ? null : <span className="cell">{content}</span>;
