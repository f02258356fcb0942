import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DataTable } from '../frame/data-table.js';
import type { OrdersSearch } from '../orders/list-address.js';
import { chartWords as words } from './chart-words.js';
import type { ChartData, Slot } from './chart.js';

type Props = ChartData &
  Readonly<{
    title: string;
    hint?: string;
    /** What a slot is, as the heading of the table's first column. */
    slotName: string;
    /** For each series, the number beside its name while the pointer is elsewhere. */
    totals: Readonly<Record<string, number | null>>;
    /** The text if there is nothing to draw. */
    empty: string;
    isEmpty: boolean;
    children: (onPoint: (slot: number | null) => void) => ReactNode;
  }>;

/** A chart with its title, what its colours mean, the numbers under the pointer, and all numbers as a table. */
export function Figure({ title, hint, series, slots, format, slotName, totals, empty, isEmpty, children }: Props) {
  const [pointed, setPointed] = useState<number | null>(null);
  const slot = pointed === null ? undefined : slots[pointed];
  const values = slot?.values ?? totals;
  return (
    <figure className="figure" aria-label={title}>
      <figcaption className="row">
        <h2>{title}</h2>
        <span className="soft small">{slot?.name ?? hint ?? ''}</span>
      </figcaption>
      {isEmpty ? (
        <p className="empty small">{empty}</p>
      ) : (
        <>
          <ul className="legend">
            {series.map(({ id, name, tone, orders }) => (
              <li key={id} className={`series ${tone}`}>
                <OrdersLink orders={orders}>{name}</OrdersLink> <strong>{valueText(values[id], format)}</strong>
              </li>
            ))}
          </ul>
          {children(setPointed)}
          <details className="numbers">
            <summary>{words.asTable}</summary>
            <DataTable
              label={title}
              rows={slots.filter(hasValues).toReversed()}
              keyOf={({ id }) => id}
              empty={empty}
              columns={[
                {
                  id: 'slot',
                  name: slotName,
                  cell: ({ name, orders }) => <OrdersLink orders={orders}>{name}</OrdersLink>,
                },
                ...series.map(({ id, name }) => ({
                  id,
                  name,
                  end: true,
                  cell: ({ values: all }: Slot) => valueText(all[id], format),
                })),
              ]}
            />
          </details>
        </>
      )}
    </figure>
  );
}

/** Links to the list of these orders, if there is one. */
export function OrdersLink({ orders, children }: Readonly<{ orders: OrdersSearch | undefined; children: ReactNode }>) {
  if (orders === undefined) return <span>{children}</span>;
  return (
    <Link to="/orders" search={orders}>
      {children}
    </Link>
  );
}

const hasValues = ({ values }: Slot) => Object.values(values).some((value) => value !== null && value !== 0);

const valueText = (value: number | null | undefined, format: (value: number) => string) =>
  value == null ? '–' : format(value);
