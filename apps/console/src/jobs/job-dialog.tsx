import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import type { Job, JobPreview } from '#contracts/backoffice/job';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { useHiddenBackground } from '../frame/use-hidden-background.js';
import { money, number } from '../words/formats.js';
import { bulkWords as words } from '../words/jobs.js';

type Props = Readonly<{
  title: string;
  start: string;
  cancel: string;
  /** The body of the request, without `dry_run`. Undefined while something is missing. */
  job: Readonly<Record<string, unknown>> | undefined;
  onClose: () => void;
  /** What the job is to do. */
  children: ReactNode;
}>;

/** Shows what a job would do, and then begins it. After a change it has to be shown again. */
export function JobDialog({ title, start, cancel, job, onClose, children }: Props) {
  useHiddenBackground();
  const client = useQueryClient();
  const choice = JSON.stringify(job);
  const preview = useMutation({
    mutationFn: async () => {
      const found = await ask<JobPreview>('jobs', { method: 'POST', body: { ...job, dry_run: true } });
      return { found, choice };
    },
  });
  const begin = useMutation({
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
    <Modal opened onClose={onClose} title={title}>
      {begin.data ? (
        <div className="stack">
          <p role="status">{begin.data.state === 'waiting_for_approval' ? words.approval : words.started}</p>
          <div className="row end">
            <Link to="/jobs" search={{ job: begin.data.id } as never} data-autofocus>
              {words.show}
            </Link>
          </div>
        </div>
      ) : (
        <form className="stack" onSubmit={submit} noValidate>
          {children}
          <div role="status">
            {found && <Preview preview={found} isNoted={NOTED_KINDS.includes(String(job?.['kind']))} />}
          </div>
          {(preview.error ?? begin.error) && <Failure error={preview.error ?? begin.error} />}
          <div className="row end">
            <Button variant="default" onClick={onClose}>
              {cancel}
            </Button>
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
    </Modal>
  );
}

/** They leave the orders as they are, and tell the brokers. */
const NOTED_KINDS: readonly string[] = ['postpone_event', 'move_event'];

/** What follows, in sentences. */
function Preview({ preview, isNoted }: Readonly<{ preview: JobPreview; isNoted: boolean }>) {
  const {
    refused,
    unchanged,
    effects,
    amount_returned: amount,
    tickets_returned: tickets,
    needs_approval: waits,
  } = preview;
  const lines = [
    ...(isNoted ? [words.notes(effects.note, number(effects.note)), words.noMoney] : [words.changes(preview, number)]),
    unchanged > 0 && !isNoted ? words.unchanged(unchanged, number(unchanged)) : '',
    refused > 0 ? words.refused(refused, number(refused)) : '',
    effects.ping > 0 ? words.pings(effects.ping, number(effects.ping)) : '',
    amount > 0 ? words.returned(money(amount)) : '',
    tickets > 0 ? words.tickets(tickets, number(tickets)) : '',
    waits ? words.approval : '',
  ].filter((line) => line !== '');
  const reasons = [...new Set(preview.sample.flatMap(({ reason }) => reason ?? []))];
  return (
    <div className="stack-tight">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {reasons.length > 0 && (
        <ul className="soft small">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
