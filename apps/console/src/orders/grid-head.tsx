import { memo, type ReactNode } from 'react';
import { selection } from '../words/selection.js';
import { selectionWords } from '../words/order-selection.js';
import { type Sort, sortNamed } from './list-address.js';
import { type Column, SORTED_BY } from './order-columns.js';

type Props = Readonly<{
  columns: readonly Column[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  isAllSelected: boolean;
  onSelectAll: (select: boolean) => void;
}>;

function GridHeadOnce({ columns, sort, onSort, isAllSelected, onSelectAll }: Props) {
  return (
    <div role="rowgroup" className="orders-head">
      <div role="row" aria-rowindex={1}>
        <span role="columnheader" className="cell-select">
          <span className="visually-hidden">{selection.column}</span>
          <input
            type="checkbox"
            aria-label={selectionWords.selectAll}
            checked={isAllSelected}
            onChange={() => onSelectAll(!isAllSelected)}
          />
        </span>
        {columns.map(({ id, header }) => (
          <SortHeader key={id} id={id} sort={sort} onSort={onSort}>
            {header}
          </SortHeader>
        ))}
      </div>
    </div>
  );
}

/** The headings of the columns, which sort by them. */
export const GridHead = memo(GridHeadOnce);

type SortProps = Readonly<{ id: string; sort: Sort; onSort: (sort: Sort) => void; children: ReactNode }>;

function SortHeader({ id, sort, onSort, children }: SortProps) {
  const field = SORTED_BY[id];
  if (field === undefined)
    return (
      <span role="columnheader" className={`cell-${id}`}>
        {children}
      </span>
    );
  const [sorted, direction] = sort.split('.');
  const isSorted = sorted === field;
  const next = sortNamed(
    field === 'due_at' ? 'due_at.asc' : `${field}.${isSorted && direction === 'desc' ? 'asc' : 'desc'}`,
  );
  return (
    <span
      role="columnheader"
      className={`cell-${id}`}
      {...(isSorted && { 'aria-sort': direction === 'asc' ? ('ascending' as const) : ('descending' as const) })}
    >
      <button type="button" className="sort" onClick={() => next && onSort(next)}>
        {children}
        {isSorted && <span aria-hidden="true"> {direction === 'asc' ? '↑' : '↓'}</span>}
      </button>
    </span>
  );
}
