import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import type { Ping } from '#outbound/ping.contract';
import { pingAnswersQuery, sendPingAgain } from '../api/desk.js';
import { may, sessionQuery } from '../api/session.js';
import { Failure } from '../frame/failure.js';
import { Time } from '../frame/time.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { orderWords as words } from './order-words.js';
import { Card } from './card.js';

/** Whether the platform knows the order's latest status. `maySend` is false without the permission, and in the past. */
export function PingCard({ order, maySend }: Readonly<{ order: OrderDetail; maySend: boolean }>) {
  const client = useQueryClient();
  const pings = order.pings.toSorted((one, other) => other.sequence - one.sequence);
  const [latest] = pings;
  const send = useMutationOnce({
    keyOf: ({ id }) => id,
    mutationFn: (ping: Ping) => sendPingAgain(ping.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['order', order.id] }),
  });
  return (
    <Card
      title={words.cards.pings}
      aside={
        <div className="row">
          <span role="status" className="small soft">
            {send.isSuccess ? words.sent : ''}
          </span>
          {maySend && latest && (
            <Button variant="default" size="compact-sm" loading={send.isPending} onClick={() => send.mutate(latest)}>
              {words.sendAgain}
            </Button>
          )}
        </div>
      }
    >
      {send.error && <Failure error={send.error} />}
      {pings.length === 0 && <p className="soft">{words.noPings}</p>}
      <ul className="pings">
        {pings.map((ping) => (
          <PingRow key={ping.id} ping={ping} />
        ))}
      </ul>
    </Card>
  );
}

/** Loads the platform's answers when somebody opens the ping, for people who may see deliveries. */
function PingRow({ ping }: Readonly<{ ping: Ping }>) {
  const { data: session } = useQuery(sessionQuery);
  const [open, setOpen] = useState(false);
  const { data: answers } = useQuery({
    ...pingAnswersQuery(ping.order_id),
    enabled: open && may(session, 'delivery:read'),
  });
  const { state, attempts, status_message, sequence } = ping;
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className={`ping-state ${state}`}>{words.pingState[state] ?? state}</span>
          <span className="soft">
            {sequence}. {status_message} · {words.attempts(attempts.length)}
          </span>
        </summary>
        <ol className="attempts">
          {attempts.map(({ attempt, started_at, duration_ms, http_status, error }) => (
            <li key={attempt}>
              <Time at={started_at} /> {words.answer(http_status, duration_ms)}
              {error !== null && <span className="soft"> {error}</span>}
              <Answer text={answers?.get(`${ping.id} ${attempt}`)} />
            </li>
          ))}
          {ping.next_try_at !== null && state === 'pending' && (
            <li className="soft">
              {words.nextTry} <Time at={ping.next_try_at} />
            </li>
          )}
        </ol>
      </details>
    </li>
  );
}

function Answer({ text }: Readonly<{ text: string | undefined }>) {
  return text === undefined ? null : (
    <pre className="mono code" aria-label={words.platformAnswer}>
      {text}
    </pre>
  );
}
