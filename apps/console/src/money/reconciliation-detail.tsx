import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Reconciliation } from '#money/reconciliation.contract';
import { reconciliationQuery } from '../api/money.js';
import { DataTable } from '../frame/data-table.js';
import { OrderLink } from '../frame/order-link.js';
import { Section } from '../frame/section.js';
import { ShortId } from '../frame/short-id.js';
import { number } from '../words/formats.js';
import { reconciliationWords } from './reconciliation-words.js';
import { listText, ReconciliationState } from './reconciliations.js';
import { useSideText } from './task-table.js';

const words = reconciliationWords.detail;

type Difference = Reconciliation['differences'][number];

/** What differs in one comparison, with both sides. */
export function ReconciliationDetail({ id }: Readonly<{ id: string }>) {
  const client = useQueryClient();
  const search = useSearch({ from: '/frame/money' });
  const one = useQuery(reconciliationQuery(id));
  const { data } = one;
  // Its differences are tasks now.
  useEffect(() => {
    if (data?.state === 'done') void client.invalidateQueries({ queryKey: ['list', 'GET money/tasks'] });
  }, [client, data?.state]);
  const title = data ? listText(data) : reconciliationWords.title;
  const differences = data?.differences ?? [];
  return (
    <Section
      title={title}
      action={
        <Link to="/money" search={{ ...search, reconciliation: undefined }} resetScroll={false}>
          {words.close}
        </Link>
      }
    >
      {data && <ReconciliationState of={data} />}
      {data?.state === 'running' ? (
        <p role="status">{words.running}</p>
      ) : (
        <Differences label={title} differences={differences} query={one} />
      )}
      {data && data.differing > differences.length && (
        <p className="soft small">{words.most(number(differences.length), number(data.differing))}</p>
      )}
    </Section>
  );
}

type Props = Readonly<{
  label: string;
  differences: readonly Difference[];
  query: Parameters<typeof DataTable<Difference>>[0]['query'];
}>;

function Differences({ label, differences, query }: Props) {
  const side = useSideText();
  const { column } = words;
  return (
    <DataTable
      label={label}
      rows={differences}
      keyOf={({ kind, order_id: order, reference }) => `${kind} ${order} ${reference}`}
      empty={words.none}
      {...(query && { query })}
      columns={[
        { id: 'kind', name: column.kind, cell: ({ kind }) => words.kind[kind] },
        { id: 'order', name: column.order, cell: ({ order_id: id }) => (id === null ? '–' : <OrderLink id={id} />) },
        {
          id: 'reference',
          name: column.reference,
          cell: ({ reference }) => (reference === null ? '–' : <ShortId id={reference} />),
        },
        { id: 'ours', name: column.ours, end: true, cell: ({ ours }) => side(ours) },
        { id: 'theirs', name: column.theirs, end: true, cell: ({ theirs }) => side(theirs) },
      ]}
    />
  );
}
