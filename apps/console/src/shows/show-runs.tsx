import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { may, sessionQuery } from '../api/session.js';
import { Section } from '../frame/section.js';
import { lazyPart } from '../frame/lazy-part.js';
import { JobTable } from '../jobs/job-table.js';
import { useJobs } from '../jobs/use-jobs.js';
import { showRunWords as words } from './show-run-words.js';

const dialogs = () => import('./run-dialogs.js');
const DIALOGS = {
  postpone: lazyPart(async () => (await dialogs()).PostponeDialog),
  move: lazyPart(async () => (await dialogs()).MoveDialog),
  refund: lazyPart(async () => (await dialogs()).RefundDialog),
  cancel: lazyPart(async () => (await dialogs()).CancelDialog),
} as const;
type Run = keyof typeof DIALOGS;

type Props = Readonly<{ id: string; isInCatalogue: boolean }>;

/** The buttons that postpone, move or cancel the show, or refund its orders, after they have shown what follows. */
export function ShowRunButtons({ id, isInCatalogue }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const [asked, setAsked] = useState<Run | null>(null);
  if (!may(session, 'runs:act')) return null;
  const offered: readonly Run[] = [
    ...(isInCatalogue ? (['postpone', 'move'] as const) : []),
    ...(may(session, 'money:act') ? (['refund'] as const) : []),
    'cancel',
  ];
  const Dialog = asked && DIALOGS[asked];
  return (
    <div className="row wrap">
      {offered.map((run) => (
        <Button key={run} variant="default" onClick={() => setAsked(run)}>
          {words[run].open}
        </Button>
      ))}
      {Dialog && <Dialog id={id} onClose={() => setAsked(null)} />}
    </div>
  );
}

/** What was begun for the whole show, with its progress. Nothing, if there was nothing. */
export function ShowRunList({ id }: Readonly<{ id: string }>) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { data } = useJobs({ limit: 20, event_id: id }, may(session, 'runs:act'));
  const jobs = data?.jobs ?? [];
  const states = jobs.map(({ id: job, state }) => `${job} ${state}`).join();
  // A run changes the show and its orders.
  useEffect(() => void client.invalidateQueries({ queryKey: ['show-sales', id] }), [client, id, states]);
  if (jobs.length === 0) return null;
  return (
    <Section title={words.title}>
      <JobTable label={words.title} jobs={jobs} />
    </Section>
  );
}
