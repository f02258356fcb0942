import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Ping } from '#outbound/ping.contract';
import { sendPingAgain } from '../api/desk.js';
import { may, sessionQuery } from '../api/session.js';
import { type Asked, DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { OrderLink } from '../frame/order-link.js';
import { Time } from '../frame/time.js';
import { NamedText } from '../frame/named-text.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { PARKED, SendAll, SendSelected } from './send-dialogs.js';
import { deliveryWords as words } from './delivery-words.js';
import { MoreButton } from '../frame/more-button.js';

/** Pings that ran out of attempts. One, some or all can be sent again. */
export function ParkedPings() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const list = usePageQuery('GET pings', { query: { ...PARKED, limit: 20 } }, ({ pings }) => pings);
  const [asking, setAsking] = useState<'all' | 'selected' | null>(null);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [sent, setSent] = useState(0);
  const refresh = () => client.invalidateQueries({ queryKey: ['list'] });
  const send = useMutationOnce({
    keyOf: ({ id }) => id,
    mutationFn: (ping: Ping) => sendPingAgain(ping.id),
    onSuccess: () => {
      setSent(1);
      return refresh();
    },
  });
  // A ping that somebody else has sent again meanwhile is no longer in the list.
  const chosen = list.rows.filter(({ id }) => selected.includes(id));
  const maySend = may(session, 'delivery:act');
  const close = () => setAsking(null);
  return (
    <section className="section">
      <div className="row">
        <h2>{words.parked}</h2>
        <span className="soft small">{words.parkedHint}</span>
        <div className="grow" />
        {maySend && chosen.length > 0 && (
          <Button variant="default" size="compact-sm" onClick={() => setAsking('selected')}>
            {words.sendSelected(chosen.length)}
          </Button>
        )}
        {maySend && list.rows.length > 0 && (
          <Button variant="default" size="compact-sm" onClick={() => setAsking('all')}>
            {words.sendAll}
          </Button>
        )}
      </div>
      <p role="status" className={sent > 0 ? 'news' : 'visually-hidden'}>
        {sent > 0 ? words.sent(sent) : ''}
      </p>
      {send.error && <Failure error={send.error} />}
      <ParkedTable
        list={list}
        {...(maySend && { acts: { selected, onSelect: setSelected, onSend: (ping: Ping) => send.mutate(ping) } })}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
      {asking === 'selected' && (
        <SendSelected
          pings={chosen}
          onClose={close}
          onSent={(count) => {
            setSelected([]);
            setSent(count);
          }}
          onSettled={refresh}
        />
      )}
      {asking === 'all' && (
        <SendAll
          onClose={close}
          onSent={(count) => {
            setSent(count);
            return refresh();
          }}
        />
      )}
    </section>
  );
}

type TableProps = Readonly<{
  list: Asked & Readonly<{ rows: readonly Ping[] }>;
  /** Absent for those who may not send. */
  acts?: Readonly<{
    selected: readonly string[];
    onSelect: (ids: readonly string[]) => void;
    onSend: (ping: Ping) => void;
  }>;
}>;

function ParkedTable({ list, acts }: TableProps) {
  const choice = ({ id, order_id: order }: Ping) =>
    acts && (
      <input
        type="checkbox"
        checked={acts.selected.includes(id)}
        aria-label={words.selectOf(order)}
        onChange={({ currentTarget: { checked } }) =>
          acts.onSelect(checked ? [...acts.selected, id] : acts.selected.filter((one) => one !== id))
        }
      />
    );
  return (
    <DataTable
      label={words.parked}
      rows={list.rows}
      keyOf={({ id }) => id}
      empty={words.noneParked}
      query={list}
      columns={[
        {
          id: 'order',
          name: words.column.order,
          cell: (ping) => (
            <span className="choice-row">
              {choice(ping)}
              <OrderLink id={ping.order_id} />
            </span>
          ),
        },
        { id: 'status', name: words.column.status, cell: ({ status_message }) => status_message },
        { id: 'since', name: words.column.since, cell: ({ occurred_at }) => <Time at={occurred_at} /> },
        { id: 'tries', name: words.column.tries, end: true, cell: ({ tries }) => tries },
        { id: 'answer', name: words.column.answer, cell: ({ attempts }) => <LastAnswer attempt={attempts.at(-1)} /> },
        {
          id: 'acts',
          name: '',
          end: true,
          cell: (ping) =>
            acts && (
              <Button variant="default" size="compact-xs" onClick={() => acts.onSend(ping)}>
                <NamedText text={words.send} name={words.sendOf(ping.order_id)} />
              </Button>
            ),
        },
      ]}
    />
  );
}

function LastAnswer({ attempt }: Readonly<{ attempt: Ping['attempts'][number] | undefined }>) {
  if (!attempt) return '–';
  const { http_status: status, error, answer } = attempt;
  const text = `${status ?? words.noAnswer}${error === null ? '' : ` · ${error}`}`;
  if (!answer) return text;
  return (
    <details>
      <summary>{text}</summary>
      <pre className="mono code">{answer}</pre>
    </details>
  );
}
