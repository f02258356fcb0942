import '../styles/delivery.css';
import '../styles/settings.css';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { Job, JobList } from '#contracts/backoffice/job';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { PageHead } from '../frame/page-head.js';
import { Time } from '../frame/time.js';
import { durationText } from '../words/durations.js';
import { number } from '../words/formats.js';
import { jobWords as words } from '../words/jobs.js';
import { JobResults } from './job-results.js';

const RUNNING_EVERY_MS = 1_000;
const QUIET_EVERY_MS = 10_000;
const SHOWN = 50;

type Act = 'pause' | 'resume' | 'cancel' | 'approve' | 'undo';
const ACTS: Readonly<Record<Job['state'], readonly Act[]>> = {
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  waiting_for_approval: ['approve', 'cancel'],
  done: ['undo'],
  cancelled: ['undo'],
  failed: [],
};

const nameOf = ({ kind }: Job): string => words.kind[kind] ?? kind;

/** The jobs with their progress. The address says whose results are shown. */
export function JobsPage() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { job: shown } = useSearch({ strict: false }) as { job?: string };
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['jobs'],
    queryFn: ({ signal }) => ask<JobList>(`jobs?limit=${SHOWN}`, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.jobs.some((job) => job.state === 'running') ? RUNNING_EVERY_MS : QUIET_EVERY_MS,
  });
  const change = useMutation({
    mutationFn: ({ id, act }: Readonly<{ id: string; act: Act }>) =>
      ask<Job>(`jobs/${encodeURIComponent(id)}/${act}`, { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  });
  const mayAct = may(session, 'runs:act');
  const isOwn = ({ requested_by: actor }: Job) => actor === `operator:${session?.operator.id ?? ''}`;
  const open = data?.jobs.find(({ id }) => id === shown);
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {change.error && <Failure error={change.error} />}
      <DataTable
        label={words.title}
        rows={data?.jobs ?? []}
        keyOf={({ id }) => id}
        empty={words.empty}
        loading={isPending}
        columns={[
          {
            id: 'what',
            name: words.column.what,
            cell: (job) => (
              <Link to="/jobs" search={{ job: job.id } as never}>
                {job.undoes === null ? nameOf(job) : words.undoing(nameOf(job))}
              </Link>
            ),
          },
          {
            id: 'who',
            name: words.column.who,
            cell: ({ requested_by_name: name, requested_by: actor }) => name ?? <span className="mono">{actor}</span>,
          },
          { id: 'when', name: words.column.when, cell: ({ requested_at: at }) => <Time at={at} /> },
          { id: 'state', name: words.column.state, cell: (job) => <State job={job} /> },
          { id: 'progress', name: words.column.progress, cell: (job) => <Progress job={job} /> },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (job) =>
              mayAct &&
              actsOf(job).map((act) =>
                act === 'approve' && isOwn(job) ? (
                  <span key={act} className="soft small">
                    {words.ownJob}
                  </span>
                ) : (
                  <Button
                    key={act}
                    variant="default"
                    size="compact-xs"
                    ml={4}
                    aria-label={words.actOf(words.act[act], nameOf(job))}
                    onClick={() => change.mutate({ id: job.id, act })}
                  >
                    {words.act[act]}
                  </Button>
                ),
              ),
          },
        ]}
      />
      {open && <JobResults key={open.id} job={open} />}
    </div>
  );
}

/** A job that only left notes, or changed nothing, cannot be taken back. */
function actsOf({ state, kind, done, undoes }: Job): readonly Act[] {
  const isFinal = kind === 'postpone_event' || undoes !== null || done === 0;
  return ACTS[state].filter((act) => act !== 'undo' || !isFinal);
}

function State({ job: { state, error } }: Readonly<{ job: Job }>) {
  return (
    <span className="two-lines">
      <span className={`status ${words.tone[state]}`}>
        <span>{words.state[state]}</span>
      </span>
      {error !== null && <span className="soft small">{error}</span>}
    </span>
  );
}

function Progress({ job: { total, done, failed, seconds_left: left } }: Readonly<{ job: Job }>) {
  const ready = done + failed;
  return (
    <span className="two-lines">
      <span className="replay-progress">
        <progress max={Math.max(total, 1)} value={total === 0 ? 1 : ready} aria-label={words.column.progress} />
        {words.progress(number(ready), number(total))}
      </span>
      <span className="soft small">
        {[
          failed > 0 ? words.refused(failed, number(failed)) : '',
          left !== null && left > 0 ? words.left(durationText(left)) : '',
        ]
          .filter((text) => text !== '')
          .join(' · ')}
      </span>
    </span>
  );
}
