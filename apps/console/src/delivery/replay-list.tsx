import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Replay } from '#outbound/replay.contract';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { Time } from '../frame/time.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { deliveryWords as words } from './delivery-words.js';
import { number } from '../words/formats.js';
import { addressOf, type Endpoint, kindOf } from './endpoint-table.js';
import { ReplayForm } from './replay-form.js';

const RUNNING_EVERY_MS = 1_000;
const QUIET_EVERY_MS = 10_000;

type Act = 'pause' | 'resume' | 'cancel';
const ACTS: Readonly<Record<Replay['state'], readonly Act[]>> = {
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  done: [],
  cancelled: [],
};

/** Entries that are sent again at a limited rate, with their progress. */
export function ReplayList({ endpoints }: Readonly<{ endpoints: readonly Endpoint[] }>) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [adding, setAdding] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['replays'],
    queryFn: ({ signal }) => ask('GET replays', { query: { limit: 10 }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.replays.some((replay) => replay.state === 'running') ? RUNNING_EVERY_MS : QUIET_EVERY_MS,
  });
  const change = useMutationOnce({
    keyOf: ({ id, act }) => `${id} ${act}`,
    mutationFn: ({ id, act }: Readonly<{ id: string; act: Act }>) => ask(`POST replays/{id}/${act}`, { path: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['replays'] }),
  });
  const mayAct = may(session, 'delivery:act');
  const nameOf = (id: string) => {
    const endpoint = endpoints.find((one) => one.endpoint === id);
    return endpoint ? `${kindOf(endpoint)} · ${addressOf(endpoint)}` : id;
  };
  return (
    <section className="section">
      <div className="row">
        <h2>{words.replays}</h2>
        <span className="soft small">{words.replaysHint}</span>
        <div className="grow" />
        {mayAct && (
          <Button variant="default" size="compact-sm" onClick={() => setAdding(true)}>
            {words.newReplay}
          </Button>
        )}
      </div>
      {change.error && <Failure error={change.error} />}
      <DataTable
        label={words.replays}
        rows={data?.replays ?? []}
        keyOf={({ id }) => id}
        empty={words.noReplays}
        query={{ error, isPending, refetch }}
        columns={[
          { id: 'endpoint', name: words.column.endpoint, cell: ({ endpoint }) => nameOf(endpoint) },
          { id: 'started', name: words.column.started, cell: ({ created_at: at }) => <Time at={at} /> },
          { id: 'state', name: words.column.state, cell: ({ state }) => words.replayState[state] },
          { id: 'progress', name: words.column.progress, cell: (replay) => <Progress replay={replay} /> },
          { id: 'rate', name: words.column.rate, end: true, cell: ({ per_second: rate }) => words.perSecond(rate) },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: ({ id, state }) =>
              mayAct &&
              ACTS[state].map((act) => (
                <Button key={act} variant="default" size="compact-xs" ml={4} onClick={() => change.mutate({ id, act })}>
                  {words.replayAct[act]}
                </Button>
              )),
          },
        ]}
      />
      {adding && <ReplayForm endpoints={endpoints} onClose={() => setAdding(false)} />}
    </section>
  );
}

function Progress({ replay: { sent, total } }: Readonly<{ replay: Replay }>) {
  return (
    <span className="replay-progress">
      <progress max={Math.max(total, 1)} value={total === 0 ? 1 : sent} aria-label={words.column.progress} />
      {words.progress(number(sent), number(total))}
    </span>
  );
}
