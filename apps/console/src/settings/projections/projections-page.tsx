import './projections.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { NewMaintenanceRun, RebuildableProjection } from '#upkeep/maintenance.contract';
import { ask } from '../../api/http.js';
import { may, sessionQuery } from '../../api/session.js';
import { PageHead } from '../../frame/page-head.js';
import { projectionWords as words } from './projection-words.js';
import { ProjectionTable } from './projection-table.js';
import { PastRuns } from './past-runs.js';
import { RunFindings } from './run-findings.js';
import { RunProgress } from './run-progress.js';
import { StartRunDialog } from './start-run-dialog.js';

const EVERY_MS = 3_000;
const WHILE_RUNNING_MS = 1_000;

/** How far each projection is, and rebuilds and verifications with their progress. The address says whose findings are shown. */
export function ProjectionsPage() {
  const { data: session } = useQuery(sessionQuery);
  const search = useSearch({ from: '/frame/settings/projections' });
  const { run: shown } = search;
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
      <ProjectionTable
        projections={data?.projections ?? []}
        query={{ error: error ?? latest.error, isPending, refetch }}
        isOff={open !== null}
        {...(mayAct && {
          onRebuild: (projection: RebuildableProjection) => setWanted({ kind: 'rebuild', projection }),
        })}
      />
      {shown !== undefined && <RunFindings id={shown} />}
      <PastRuns latest={latest.data ?? null} />
      {wanted && <StartRunDialog wanted={wanted} onClose={() => setWanted(null)} />}
    </div>
  );
}

const isOpen = (state: string | undefined) => state === 'requested' || state === 'running';
