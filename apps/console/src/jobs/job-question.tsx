import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Job } from '#desk/job.contract';
import { ask, preview } from '../api/http.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { SkeletonRows } from '../frame/skeleton-rows.js';
import { Time } from '../frame/time.js';
import { frame } from '../words/frame.js';
import { jobWords } from './job-words.js';
import { JobContent } from './job-content.js';
import { WhatFollows } from './what-follows.js';

const { question: words, ...others } = jobWords;

/** What is asked about before it is done: it changes many orders at once. */
export type AskedAct = 'approve' | 'undo';

type Props = Readonly<{
  job: Job;
  act: AskedAct;
  error: Error | null;
  isPending: boolean;
  onAct: (act: AskedAct | 'cancel') => void;
  onClose: () => void;
}>;

/** Says what would follow, as of now, before somebody approves a job or takes one back. */
export function JobQuestion({ job, act, error, isPending, onAct, onClose }: Props) {
  const path = { id: job.id };
  const what = useQuery({
    queryKey: ['job-preview', job.id, act],
    queryFn: ({ signal }) =>
      act === 'approve'
        ? ask('GET jobs/{id}/preview', { path, signal })
        : preview('POST jobs/{id}/undo', { path, body: { dry_run: true }, signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const name = others.kind[job.kind] ?? job.kind;
  return (
    <Dialog title={words.title[act](name)} typed={null} isPending={isPending} onClose={onClose}>
      <div className="stack">
        <div className="stack-tight">
          <p>
            <JobContent job={job} className="strong" />
          </p>
          <p className="soft small">
            {words.by(job.requested_by_name ?? job.requested_by)} <Time at={job.requested_at} />
          </p>
        </div>
        <div role="status">{what.data && <WhatFollows preview={what.data} kind={job.kind} asked={act} />}</div>
        {what.isPending && <SkeletonRows />}
        {what.error && <Failure error={what.error} retry={() => void what.refetch()} />}
        {error && <Failure error={error} />}
        <div className="row end">
          {act === 'approve' ? (
            <Button variant="default" disabled={isPending} onClick={() => onAct('cancel')}>
              {words.decline}
            </Button>
          ) : (
            <CancelButton hasFocus>{frame.cancel}</CancelButton>
          )}
          <Button
            loading={isPending}
            disabled={!what.data || (act === 'undo' && what.data.allowed === 0)}
            onClick={() => onAct(act)}
          >
            {others.act[act]}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
