import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Ping } from '#outbound/ping.contract';
import { sendPingAgain } from '../api/desk.js';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { OrderLink } from '../frame/order-link.js';
import { Time } from '../frame/time.js';
import { NamedText } from '../frame/named-text.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { deliveryWords as words } from './delivery-words.js';

const PARKED = { state: 'parked' } as const;

/** Pings that ran out of attempts. One, some or all can be sent again. */
export function ParkedPings() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const list = usePageQuery('GET pings', { query: { ...PARKED, limit: 20 } }, ({ pings }) => pings);
  const [asking, setAsking] = useState(false);
  const [askingSelected, setAskingSelected] = useState(false);
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
  const count = useQuery({
    queryKey: ['parked-count', asking],
    queryFn: () => ask('POST pings/send', { body: { ...PARKED, dry_run: true } }),
    enabled: asking,
    gcTime: 0,
  });
  const sendAll = useMutationOnce({
    mutationFn: () => ask('POST pings/send', { body: PARKED }),
    onSuccess: (answer) => {
      setAsking(false);
      setSent(answer.sent);
      return refresh();
    },
  });
  // A ping that somebody else has sent again meanwhile is no longer in the list.
  const chosen = list.rows.filter(({ id }) => selected.includes(id));
  const sendSelected = useMutationOnce({
    mutationFn: async () => {
      for (const { id } of chosen) await sendPingAgain(id);
      return chosen.length;
    },
    onSuccess: (count) => {
      setAskingSelected(false);
      setSelected([]);
      setSent(count);
    },
    // Some may have been sent before one is refused.
    onSettled: refresh,
  });
  const toggle = (id: string) =>
    setSelected(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id]);
  const maySend = may(session, 'delivery:act');
  return (
    <section className="section">
      <div className="row">
        <h2>{words.parked}</h2>
        <span className="soft small">{words.parkedHint}</span>
        <div className="grow" />
        {maySend && chosen.length > 0 && (
          <Button variant="default" size="compact-sm" onClick={() => setAskingSelected(true)}>
            {words.sendSelected(chosen.length)}
          </Button>
        )}
        {maySend && list.rows.length > 0 && (
          <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
            {words.sendAll}
          </Button>
        )}
      </div>
      <p role="status" className={sent > 0 ? 'news' : 'visually-hidden'}>
        {sent > 0 ? words.sent(sent) : ''}
      </p>
      {send.error && <Failure error={send.error} />}
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
            cell: ({ id, order_id }) => (
              <span className="choice-row">
                {maySend && (
                  <input
                    type="checkbox"
                    checked={selected.includes(id)}
                    aria-label={words.selectOf(order_id)}
                    onChange={() => toggle(id)}
                  />
                )}
                <OrderLink id={order_id} />
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
              maySend && (
                <Button variant="default" size="compact-xs" onClick={() => send.mutate(ping)}>
                  <NamedText text={words.send} name={words.sendOf(ping.order_id)} />
                </Button>
              ),
          },
        ]}
      />
      {list.hasNextPage && (
        <button type="button" className="link-button" onClick={() => void list.fetchNextPage()}>
          {words.more}
        </button>
      )}
      {askingSelected && (
        <ConfirmDialog
          title={words.sendSelected(chosen.length)}
          apply={words.apply}
          cancel={words.cancel}
          error={sendSelected.error}
          busy={sendSelected.isPending}
          onApply={() => sendSelected.mutate()}
          onClose={() => setAskingSelected(false)}
        >
          {words.sendSelectedAsk(chosen.length)}
        </ConfirmDialog>
      )}
      {asking && (
        <ConfirmDialog
          title={words.sendAll}
          apply={words.apply}
          cancel={words.cancel}
          error={sendAll.error ?? count.error}
          busy={sendAll.isPending || count.isPending}
          onApply={() => sendAll.mutate()}
          onClose={() => setAsking(false)}
        >
          {count.data ? words.sendAllAsk(count.data.matched) : words.counting}
        </ConfirmDialog>
      )}
    </section>
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
