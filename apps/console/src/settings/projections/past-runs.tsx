import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { MaintenanceRun } from '#upkeep/maintenance.contract';
import { DataTable } from '../../frame/data-table.js';
import { Section } from '../../frame/section.js';
import { Time } from '../../frame/time.js';
import { usePageQuery } from '../../frame/use-page-query.js';
import { durationText } from '../../words/durations.js';
import { exactTime, number } from '../../words/formats.js';
import { projectionWords as words } from './projection-words.js';
import { runName } from './run-progress.js';
import { MoreButton } from '../../frame/more-button.js';

const PAGE = 20;

/** Past rebuilds and verifications with their results. The list is read again when `latest` changes. */
export function PastRuns({ latest }: Readonly<{ latest: MaintenanceRun | null }>) {
  const client = useQueryClient();
  const list = usePageQuery('GET maintenance-runs', { query: { limit: PAGE } }, ({ runs }) => runs);
  const state = latest === null ? '' : `${latest.id} ${latest.state}`;
  useEffect(() => void client.invalidateQueries({ queryKey: ['list', 'GET maintenance-runs'] }), [client, state]);
  return (
    <Section title={words.past}>
      <DataTable
        label={words.past}
        rows={list.rows.filter((run) => run.state !== 'requested' && run.state !== 'running')}
        keyOf={({ id }) => id}
        empty={words.noRuns}
        query={list}
        columns={[
          { id: 'what', name: words.runColumn.what, cell: runName },
          {
            id: 'who',
            name: words.runColumn.who,
            cell: ({ requested_by_name: name, requested_by: actor }) => name ?? <span className="mono">{actor}</span>,
          },
          { id: 'when', name: words.runColumn.when, cell: ({ requested_at: at }) => <Time at={at} /> },
          { id: 'took', name: words.runColumn.took, end: true, cell: took },
          { id: 'outcome', name: words.runColumn.outcome, cell: (run) => <Outcome run={run} /> },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: ({ id, findings, requested_at: at }) =>
              findings !== null && (
                <Link to="/settings/projections" search={{ run: id }} aria-label={words.showOf(exactTime(at))}>
                  {words.show}
                </Link>
              ),
          },
        ]}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
    </Section>
  );
}

function took({ started_at: from, finished_at: to }: MaintenanceRun): string {
  return from === null || to === null ? words.none : durationText((Date.parse(to) - Date.parse(from)) / 1_000);
}

function Outcome({ run }: Readonly<{ run: MaintenanceRun }>) {
  const differences = Object.values(run.found ?? {}).reduce((sum, count) => sum + count, 0);
  const tone = differences > 0 ? 'exception' : words.tone[run.state];
  return (
    <span className="two-lines">
      <span className={`status ${tone}`}>
        <span>{outcomeText(run, differences)}</span>
      </span>
      {run.error !== null && <span className="soft small">{run.error}</span>}
    </span>
  );
}

function outcomeText({ state, found, checked, rebuilt }: MaintenanceRun, differences: number): string {
  if (state === 'done' && found) {
    if (differences > 0) return words.differs(differences, number(differences));
    return checked?.['events'] === 0 ? words.emptyLog : words.agrees;
  }
  const rows = rebuilt?.reduce((sum, table) => sum + table.rows, 0);
  return rows === undefined ? words.outcome[state] : `${words.outcome[state]}, ${words.rows(rows, number(rows))}`;
}
