import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../api/http.js';
import { may, sessionQuery } from '../../api/session.js';
import { DataTable } from '../../frame/data-table.js';
import { PageHead } from '../../frame/page-head.js';
import { Time } from '../../frame/time.js';
import { number } from '../../words/formats.js';
import { webhookWords as words } from './webhook-words.js';
import { WebhookForm } from './webhook-form.js';
import { statusesText, WebhookState } from './webhook-state.js';

const EVERY_MS = 5_000;

export function WebhooksPage() {
  const { data: session } = useQuery(sessionQuery);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => ask('GET webhooks', { signal }),
    refetchInterval: EVERY_MS,
  });
  const [adding, setAdding] = useState(false);
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        {may(session, 'delivery:act') && <Button onClick={() => setAdding(true)}>{words.add}</Button>}
      </PageHead>
      <DataTable
        label={words.title}
        rows={data?.webhooks ?? []}
        keyOf={({ id }) => id}
        empty={words.empty}
        query={{ error, isPending, refetch }}
        columns={[
          {
            id: 'url',
            name: words.url,
            cell: ({ id, url, description }) => (
              <span className="two-lines">
                <Link to="/settings/webhooks/$id" params={{ id }}>
                  {url}
                </Link>
                {description !== null && <span className="soft small">{description}</span>}
              </span>
            ),
          },
          { id: 'state', name: words.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
          { id: 'statuses', name: words.statuses, cell: ({ statuses }) => statusesText(statuses) },
          { id: 'waiting', name: words.waiting, end: true, cell: ({ pending }) => number(pending) },
          {
            id: 'parked',
            name: words.parked,
            end: true,
            cell: ({ parked }) => <span className={parked > 0 ? 'late' : ''}>{number(parked)}</span>,
          },
          {
            id: 'oldest',
            name: words.oldest,
            end: true,
            cell: ({ oldest_pending_at: at }) => (at === null ? words.none : <Time at={at} />),
          },
        ]}
      />
      {adding && <WebhookForm webhook={null} onClose={() => setAdding(false)} />}
    </div>
  );
}
