import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { DataTable } from '../frame/data-table.js';
import { OrderLink } from '../frame/order-link.js';
import { Time } from '../frame/time.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { deliveryWords as words } from './delivery-words.js';
import { MoreButton } from '../frame/more-button.js';

// Pings of newer changes may still be on their way.
const LATE = { older_than_seconds: 60 };

/** Orders whose latest status the platform does not know, with a button to send it. */
export function DriftingOrders() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [asking, setAsking] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const list = usePageQuery('GET delivery/drift', { query: { ...LATE, limit: 10 } }, ({ orders }) => orders);
  const count = useQuery({
    queryKey: ['drift-count'],
    queryFn: () => ask('POST delivery/drift/send', { body: { ...LATE, dry_run: true } }),
    enabled: asking,
    gcTime: 0,
  });
  const send = useMutationOnce({
    mutationFn: () => ask('POST delivery/drift/send', { body: LATE }),
    onSuccess: (answer) => {
      setAsking(false);
      setSent(answer.sent);
      return client.invalidateQueries({ queryKey: ['list'] });
    },
  });
  return (
    <section className="section">
      <div className="row">
        <h2>{words.drift}</h2>
        <span className="soft small">{words.driftHint}</span>
        <div className="grow" />
        {may(session, 'delivery:act') && list.rows.length > 0 && (
          <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
            {words.sendDrift}
          </Button>
        )}
      </div>
      <p role="status" className={sent === null ? 'visually-hidden' : 'news'}>
        {sent === null ? '' : words.sent(sent)}
      </p>
      <DataTable
        label={words.drift}
        rows={list.rows}
        keyOf={({ order_id }) => order_id}
        empty={words.noDrift}
        query={list}
        columns={[
          { id: 'order', name: words.column.order, cell: ({ order_id: id }) => <OrderLink id={id} /> },
          { id: 'status', name: words.column.status, cell: ({ status_message }) => status_message },
          { id: 'since', name: words.column.since, cell: ({ changed_at: at }) => <Time at={at} /> },
          { id: 'why', name: words.column.why, cell: ({ why }) => words.why[why] },
          { id: 'tries', name: words.column.tries, end: true, cell: ({ ping }) => ping.tries },
        ]}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
      {asking && (
        <ConfirmDialog
          title={words.sendDrift}
          apply={words.apply}
          cancel={words.cancel}
          error={send.error ?? count.error}
          busy={send.isPending || count.isPending}
          onApply={() => send.mutate()}
          onClose={() => setAsking(false)}
        >
          {count.data ? words.sendDriftAsk(count.data.matched) : words.counting}
        </ConfirmDialog>
      )}
    </section>
  );
}
