import '../styles/delivery.css';
import '../styles/projections.css';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Job } from '#contracts/backoffice/job';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { type Asked, DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { Time } from '../frame/time.js';
import { durationText } from '../words/durations.js';
import { number } from '../words/formats.js';
import { jobWords as words } from '../words/jobs.js';
import { JobContent } from './job-content.js';

type Act = 'pause' | 'resume' | 'cancel' | 'approve' | 'undo';
const ACTS: Readonly<Record<Job['state'], readonly Act[]>> = {
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  waiting_for_approval: ['approve', 'cancel'],
  done: ['undo'],
  cancelled: ['undo'],
  failed: [],
};

const UNDONE_NEVER: readonly Job['kind'][] = ['postpone_event', 'move_event', 'export_orders', 'import_orders'];

const nameOf = ({ kind }: Job): string => words.kind[kind] ?? kind;

type Props = Readonly<{ label: string; jobs: readonly Job[]; query?: Asked }>;

/** Jobs with their progress and what can be done with them. */
export function JobTable({ label, jobs, query }: Props) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const change = useMutation({
    mutationFn: ({ id, act }: Readonly<{ id: string; act: Act }>) =>
      ask<Job>(`jobs/${encodeURIComponent(id)}/${act}`, { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  });
  const mayAct = may(session, 'runs:act');
  const isOwn = ({ requested_by: actor }: Job) => actor === `operator:${session?.operator.id ?? ''}`;
  const button = (job: Job, act: Act) => (
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
  );
  return (
    <>
      {change.error && <Failure error={change.error} />}
      <DataTable
        label={label}
        rows={jobs}
        keyOf={({ id }) => id}
        empty={words.empty}
        {...(query && { query })}
        columns={[
          {
            id: 'what',
            name: words.column.what,
            cell: (job) => (
              <span className="two-lines">
                <Link to="/jobs" search={{ job: job.id } as never}>
                  {job.undoes === null ? nameOf(job) : words.undoing(nameOf(job))}
                </Link>
                <JobContent job={job} />
              </span>
            ),
          },
          { id: 'who', name: words.column.who, cell: (job) => <People job={job} /> },
          { id: 'when', name: words.column.when, cell: ({ requested_at: at }) => <Time at={at} /> },
          { id: 'state', name: words.column.state, cell: (job) => <State job={job} isOwn={isOwn(job)} /> },
          { id: 'progress', name: words.column.progress, cell: (job) => <Progress job={job} /> },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (job) =>
              mayAct &&
              actsOf(job)
                .filter((act) => act !== 'approve' || !isOwn(job))
                .map((act) => button(job, act)),
          },
        ]}
      />
    </>
  );
}

/** Who began it, and who agreed. */
function People({ job }: Readonly<{ job: Job }>) {
  const { requested_by: actor, requested_by_name: name, approved_by: second, approved_by_name: secondName } = job;
  return (
    <span className="two-lines">
      <span>{name ?? <span className="mono">{actor}</span>}</span>
      {second !== null && <span className="soft small">{words.approvedBy(secondName ?? second)}</span>}
    </span>
  );
}

/** A job that only left notes, read or wrote a file, or changed nothing, cannot be taken back. */
function actsOf({ state, kind, done, undoes }: Job): readonly Act[] {
  const isFinal = UNDONE_NEVER.includes(kind) || undoes !== null || done === 0;
  return ACTS[state].filter((act) => act !== 'undo' || !isFinal);
}

function State({ job: { state, error }, isOwn }: Readonly<{ job: Job; isOwn: boolean }>) {
  return (
    <span className="two-lines">
      <span className={`status ${words.tone[state]}`}>
        <span>{words.state[state]}</span>
      </span>
      {state === 'waiting_for_approval' && isOwn && <span className="soft small">{words.ownJob}</span>}
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
