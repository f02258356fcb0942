import type { ReactNode } from 'react';
import { frame } from '../words/frame.js';
import { SkeletonRows } from './skeleton-rows.js';

export type Column<Row> = Readonly<{ id: string; name: string; cell: (row: Row) => ReactNode; end?: boolean }>;

type Props<Row> = Readonly<{
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The text if there are no rows. */
  empty: string;
  loading?: boolean;
}>;

/** A plain table for lists of a few hundred rows. On a phone each row is a card, with the names of the columns before their values. */
export function DataTable<Row>({ label, columns, rows, keyOf, empty, loading = false }: Props<Row>) {
  if (rows.length === 0) {
    return loading ? (
      <SkeletonRows />
    ) : (
      <p className="empty" role="status">
        {empty}
      </p>
    );
  }
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="data" aria-label={label} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ id, name, end }) => (
              <th key={id} scope="col" role="columnheader" className={end ? 'end' : ''}>
                {name === '' ? <span className="visually-hidden">{frame.actions}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ id, name, cell, end }) => (
                <td key={id} className={end ? 'end' : ''} role="cell" data-name={name}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
