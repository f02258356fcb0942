import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { ask, preview, type Request } from '../api/http.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { bulkWords as words } from './job-words.js';
import { WhatFollows } from './what-follows.js';

type NewJob = Request<'POST jobs'>['body'];

type Props = Readonly<{
  title: string;
  start: string;
  cancel: string;
  /** The body of the request, without `dry_run`. Undefined while something is missing. */
  job: NewJob | undefined;
  /** What somebody can write in it. */
  typed: unknown;
  onClose: () => void;
  /** What the job is to do. */
  children: ReactNode;
}>;

/** A show is changed also where no order is. */
const changesShow = ({ kind }: NewJob): boolean =>
  kind === 'cancel_event' || kind === 'postpone_event' || kind === 'move_event';

/** Shows what a job would do, and then begins it. After a change it has to be shown again. */
export function JobDialog({ title, start, cancel, job, typed, onClose, children }: Props) {
  const client = useQueryClient();
  const choice = JSON.stringify(job);
  const look = useMutationOnce({
    mutationFn: async (wanted: NewJob) => {
      const found = await preview('POST jobs', { body: { ...wanted, dry_run: true } });
      return { found, choice };
    },
  });
  const begin = useMutationOnce({
    mutationFn: (wanted: NewJob) => ask('POST jobs', { body: wanted }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  });
  const found = look.data && look.data.choice === choice ? look.data.found : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!job) return;
    if (found) begin.mutate(job);
    else look.mutate(job);
  };
  return (
    <Dialog
      title={title}
      typed={typed}
      isPending={look.isPending || begin.isPending}
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
          <div role="status">{found && <WhatFollows preview={found} kind={String(job?.kind)} />}</div>
          {(look.error ?? begin.error) && <Failure error={look.error ?? begin.error} />}
          <div className="row end">
            <CancelButton>{cancel}</CancelButton>
            <Button
              type="submit"
              loading={look.isPending || begin.isPending}
              disabled={job === undefined || (found !== null && found.allowed === 0 && !changesShow(job))}
            >
              {found ? start : words.preview}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
