import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import type { Job, JobPreview } from '#desk/job.contract';
import { ask } from '../api/http.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { bulkWords as words } from './job-words.js';
import { WhatFollows } from './what-follows.js';

type Props = Readonly<{
  title: string;
  start: string;
  cancel: string;
  /** The body of the request, without `dry_run`. Undefined while something is missing. */
  job: Readonly<Record<string, unknown>> | undefined;
  /** What somebody can write in it. */
  typed: unknown;
  onClose: () => void;
  /** What the job is to do. */
  children: ReactNode;
}>;

/** Shows what a job would do, and then begins it. After a change it has to be shown again. */
export function JobDialog({ title, start, cancel, job, typed, onClose, children }: Props) {
  const client = useQueryClient();
  const choice = JSON.stringify(job);
  const preview = useMutationOnce({
    mutationFn: async () => {
      const found = await ask<JobPreview>('jobs', { method: 'POST', body: { ...job, dry_run: true } });
      return { found, choice };
    },
  });
  const begin = useMutationOnce({
    mutationFn: () => ask<Job>('jobs', { method: 'POST', body: job }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  });
  const found = preview.data && preview.data.choice === choice ? preview.data.found : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!job) return;
    if (found) begin.mutate();
    else preview.mutate();
  };
  return (
    <Dialog
      title={title}
      typed={typed}
      isPending={preview.isPending || begin.isPending}
      isSent={begin.isSuccess}
      onClose={onClose}
    >
      {begin.data ? (
        <div className="stack">
          <p role="status">{begin.data.state === 'waiting_for_approval' ? words.approval : words.started}</p>
          <div className="row end">
            <Link to="/jobs" search={{ job: begin.data.id }} data-autofocus>
              {words.show}
            </Link>
          </div>
        </div>
      ) : (
        <form className="stack" onSubmit={submit} noValidate>
          {children}
          <div role="status">{found && <WhatFollows preview={found} kind={String(job?.['kind'])} />}</div>
          {(preview.error ?? begin.error) && <Failure error={preview.error ?? begin.error} />}
          <div className="row end">
            <CancelButton>{cancel}</CancelButton>
            <Button
              type="submit"
              loading={preview.isPending || begin.isPending}
              disabled={job === undefined || (found !== null && found.allowed === 0 && job['event_id'] === undefined)}
            >
              {found ? start : words.preview}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
