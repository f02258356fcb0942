import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job } from '#desk/job.contract';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { type Asked, DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { Time } from '../frame/time.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { durationText } from '../words/durations.js';
import { number } from '../words/formats.js';
import { jobWords as words } from './job-words.js';
import { JobContent } from './job-content.js';
import { type AskedAct, JobQuestion } from './job-question.js';

type Act = 'pause' | 'resume' | 'cancel' | AskedAct;
const isAsked = (act: Act): act is AskedAct => act === 'approve' || act === 'undo';
const ACTS: Readonly<Record<Job['state'], readonly Act[]>> = {
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  waiting_for_approval: ['approve', 'cancel'],
  done: ['undo'],
  cancelled: ['undo'],
  failed: [],
};

const nameOf = ({ kind }: Job): string => words.kind[kind] ?? kind;

type Props = Readonly<{ label: string; jobs: readonly Job[]; query?: Asked }>;

/** Jobs with their progress and what can be done with them. */
export function JobTable({ label, jobs, query }: Props) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const change = useMutationOnce({
    keyOf: ({ id, act }) => `${id} ${act}`,
    mutationFn: ({ id, act }: Readonly<{ id: string; act: Act }>) => ask(`POST jobs/{id}/${act}`, { path: { id } }),
    onSuccess: () => setAsked(null),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  });
  const [asked, setAsked] = useState<Readonly<{ job: Job; act: AskedAct }> | null>(null);
  const mayAct = may(session, 'runs:act');
  const isOwn = ({ requested_by: actor }: Job) => actor === `operator:${session?.operator.id ?? ''}`;
  // Whoever is asked to approve a job declines it. Whoever asked for it cancels it.
  const labelOf = (job: Job, act: Act) =>
    act === 'cancel' && job.state === 'waiting_for_approval' && !isOwn(job) ? words.question.decline : words.act[act];
  const button = (job: Job, act: Act) => (
    <Button
      key={act}
      variant="default"
      size="compact-xs"
      ml={4}
      aria-label={words.actOf(labelOf(job, act), nameOf(job))}
      onClick={() => (isAsked(act) ? setAsked({ job, act }) : change.mutate({ id: job.id, act }))}
    >
      {labelOf(job, act)}
    </Button>
  );
  return (
    <>
      {change.error && !asked && <Failure error={change.error} />}
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
                <Link to="/jobs" search={{ job: job.id }}>
                  {job.undoes === null ? nameOf(job) : words.undoing(nameOf(job))}
                </Link>
                <JobContent job={job} />
              </span>
            ),
          },
          { id: 'who', name: words.column.who, cell: (job) => <People job={job} /> },
          { id: 'when', name: words.column.when, cell: ({ requested_at: at }) => <Time at={at} /> },
          { id: 'state', name: words.column.state, cell: (job) => <State job={job} /> },
          { id: 'progress', name: words.column.progress, cell: (job) => <Progress job={job} /> },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (job) =>
              mayAct &&
              actsOf(job)
                .filter((act) => act !== 'approve' || job.can_approve)
                .map((act) => button(job, act)),
          },
        ]}
      />
      {asked && (
        <JobQuestion
          {...asked}
          error={change.error}
          isPending={change.isPending}
          onAct={(act) => change.mutate({ id: asked.job.id, act })}
          onClose={() => {
            change.reset();
            setAsked(null);
          }}
        />
      )}
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

const actsOf = ({ state, can_undo: canUndo }: Job): readonly Act[] =>
  ACTS[state].filter((act) => act !== 'undo' || canUndo);

/** A job that has ended is not done where its changes were refused. */
function outcomeOf({ state, done, failed }: Job): Readonly<{ tone: string; text: string }> {
  if (state !== 'done' || failed === 0) return { tone: words.tone[state], text: words.state[state] };
  return done === 0 ? { tone: 'rejected', text: words.allRefused } : { tone: 'exception', text: words.partlyDone };
}

function State({ job }: Readonly<{ job: Job }>) {
  const { error, why_not: whyNot, reason } = job;
  const { tone, text } = outcomeOf(job);
  return (
    <span className="two-lines">
      <span className={`status ${tone}`}>
        <span>{text}</span>
      </span>
      {whyNot !== null && <span className="soft small">{whyNot}</span>}
      {reason !== null && <span className="soft small">{words.reason[reason]}</span>}
      {error !== null && <span className="soft small">{error}</span>}
    </span>
  );
}

function Progress({ job: { state, total, done, failed, seconds_left: left } }: Readonly<{ job: Job }>) {
  const ready = done + failed;
  // Nothing of it is on its way.
  if (state === 'waiting_for_approval') return words.waiting(total, number(total));
  return (
    <span className="two-lines">
      <span className="replay-progress">
        <progress max={Math.max(total, 1)} value={total === 0 ? 1 : ready} aria-label={words.column.progress} />
        {words.progress(number(done), number(total))}
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
