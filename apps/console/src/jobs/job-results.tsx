import { Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Job } from '#desk/job.contract';
import { DataTable } from '../frame/data-table.js';
import { OrderLink } from '../frame/order-link.js';
import { Section } from '../frame/section.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { jobWords as words } from './job-words.js';
import { MoreButton } from '../frame/more-button.js';

const PAGE = 100;
const TONES = { done: 'confirmed', refused: 'exception', unchanged: 'pending' } as const;

/** What became of each order of a job. The list is read again while the job goes on. */
export function JobResults({ job }: Readonly<{ job: Job }>) {
  const client = useQueryClient();
  const [onlyRefused, setOnlyRefused] = useState(false);
  const query = { limit: PAGE, ...(onlyRefused && { outcome: 'refused' as const }) };
  const list = usePageQuery('GET jobs/{id}/results', { path: { id: job.id }, query }, ({ results }) => results);
  const ready = job.done + job.failed;
  useEffect(() => void client.invalidateQueries({ queryKey: ['list', 'GET jobs/{id}/results'] }), [client, ready]);
  return (
    <Section
      title={words.resultsOf(words.kind[job.kind] ?? job.kind)}
      action={
        <Checkbox
          label={words.onlyRefused}
          checked={onlyRefused}
          onChange={({ currentTarget }) => setOnlyRefused(currentTarget.checked)}
        />
      }
    >
      <DataTable
        label={words.results}
        rows={list.rows}
        keyOf={({ order_id: id }) => id}
        empty={words.noResults}
        query={list}
        columns={[
          { id: 'order', name: words.result.order, cell: ({ order_id: id }) => <OrderLink id={id} /> },
          {
            id: 'outcome',
            name: words.result.outcome,
            cell: ({ outcome }) => (
              <span className={`status ${TONES[outcome]}`}>
                <span>{words.outcome[outcome]}</span>
              </span>
            ),
          },
          { id: 'reason', name: words.result.reason, cell: ({ reason = '' }) => reason },
        ]}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
    </Section>
  );
}
