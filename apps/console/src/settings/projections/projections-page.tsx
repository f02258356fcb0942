import './projections.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { NewMaintenanceRun, ProjectionList, RebuildableProjection } from '#upkeep/maintenance.contract';
import { ask } from '../../api/http.js';
import { may, sessionQuery } from '../../api/session.js';
import { DataTable } from '../../frame/data-table.js';
import { PageHead } from '../../frame/page-head.js';
import { Time } from '../../frame/time.js';
import { durationText } from '../../words/durations.js';
import { number, percent } from '../../words/formats.js';
import { projectionWords as words } from './projection-words.js';
import { PastRuns } from './past-runs.js';
import { RunFindings } from './run-findings.js';
import { RunProgress } from './run-progress.js';
import { StartRunDialog } from './start-run-dialog.js';

type Projection = ProjectionList['projections'][number];

const EVERY_MS = 3_000;
const WHILE_RUNNING_MS = 1_000;

/** How far each projection is, and rebuilds and verifications with their progress. The address says whose findings are shown. */
export function ProjectionsPage() {
  const { data: session } = useQuery(sessionQuery);
  const { run: shown } = useSearch({ from: '/frame/settings/projections' });
  const [wanted, setWanted] = useState<NewMaintenanceRun | null>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['projections'],
    queryFn: ({ signal }) => ask('GET projections', { signal }),
    refetchInterval: EVERY_MS,
  });
  const latest = useQuery({
    queryKey: ['maintenance-runs', 'latest'],
    queryFn: async ({ signal }) => (await ask('GET maintenance-runs', { query: { limit: 1 }, signal })).runs[0] ?? null,
    refetchInterval: ({ state }) => (isOpen(state.data?.state) ? WHILE_RUNNING_MS : EVERY_MS),
  });
  const open = latest.data && isOpen(latest.data.state) ? latest.data : null;
  const mayAct = may(session, 'admin');
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        {mayAct && (
          <>
            <Button
              variant="default"
              disabled={open !== null}
              onClick={() => setWanted({ kind: 'rebuild', projection: 'all' })}
            >
              {words.rebuildAll}
            </Button>
            <Button disabled={open !== null} onClick={() => setWanted({ kind: 'verify' })}>
              {words.verify}
            </Button>
          </>
        )}
      </PageHead>
      {open && <RunProgress run={open} mayAct={mayAct} />}
      <DataTable
        label={words.title}
        rows={data?.projections ?? []}
        keyOf={({ name }) => name}
        empty=""
        query={{ error: error ?? latest.error, isPending, refetch }}
        columns={[
          { id: 'name', name: words.column.name, cell: ({ name }) => nameOf(name) },
          { id: 'follows', name: words.column.follows, cell: ({ follows }) => words.follows[follows] },
          {
            id: 'position',
            name: words.column.position,
            end: true,
            cell: ({ position }) => (position === null ? words.none : number(position)),
          },
          { id: 'behind', name: words.column.behind, cell: (projection) => <Behind projection={projection} /> },
          {
            id: 'rebuilt',
            name: words.column.rebuilt,
            cell: ({ rebuilt_at: at, rebuildable }) =>
              at !== null ? <Time at={at} /> : rebuildable ? words.never : words.none,
          },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (projection) =>
              mayAct &&
              isRebuildable(projection) && (
                <Button
                  variant="default"
                  size="compact-xs"
                  disabled={open !== null}
                  aria-label={words.rebuildOf(nameOf(projection.name))}
                  onClick={() => setWanted({ kind: 'rebuild', projection: projection.name })}
                >
                  {words.rebuild}
                </Button>
              ),
          },
        ]}
      />
      {shown !== undefined && <RunFindings id={shown} />}
      <PastRuns latest={latest.data ?? null} />
      {wanted && <StartRunDialog wanted={wanted} onClose={() => setWanted(null)} />}
    </div>
  );
}

const isOpen = (state: string | undefined) => state === 'requested' || state === 'running';

const isRebuildable = (projection: Projection): projection is Projection & { name: RebuildableProjection } =>
  projection.rebuildable;

const nameOf = (name: string) => words.names[name] ?? name;

// A second or two behind is the usual way of following.
const LATE_S = 10;

// The ledger chains a log of an earlier release from its beginning, which may take hours.
const CHAINS_OLD_LOG = 10_000;

function Behind({ projection }: Readonly<{ projection: Projection }>) {
  const { name, position, end, behind, behind_seconds: seconds } = projection;
  if (behind === null) return <span className="soft">{words.none}</span>;
  if (behind === 0) return <Dot tone="confirmed" text={words.upToDate} />;
  if (name === 'order-search') return <Dot tone="pending" text={words.ordersLeft(number(behind))} />;
  if (name === 'ledger' && behind >= CHAINS_OLD_LOG) {
    return <Dot tone="pending" text={words.chained(percent((position ?? 0) / (end ?? 1)), number(behind))} />;
  }
  const tone = (seconds ?? 0) > LATE_S ? 'exception' : 'pending';
  return <Dot tone={tone} text={words.behind(number(behind), durationText(seconds ?? 0))} />;
}

function Dot({ tone, text }: Readonly<{ tone: string; text: string }>) {
  return (
    <span className={`status ${tone}`}>
      <span>{text}</span>
    </span>
  );
}
