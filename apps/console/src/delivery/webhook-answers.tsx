import { Link } from '@tanstack/react-router';
import type { WebhookDelivery, WebhookDeliveryList } from '#contracts/backoffice/webhook';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { ShortId } from '../frame/short-id.js';
import { Time } from '../frame/time.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { deliveryWords as words } from '../words/delivery.js';
import { number } from '../words/formats.js';

/** The last deliveries of a webhook with what it answered. */
export function WebhookAnswers({ webhook }: Readonly<{ webhook: string }>) {
  const path = `webhooks/${encodeURIComponent(webhook)}/deliveries?limit=20`;
  const list = usePageQuery<WebhookDeliveryList, WebhookDelivery>(path, ({ deliveries }) => deliveries);
  return (
    <section className="section">
      <h2>{words.answers}</h2>
      {list.error && <Failure error={list.error} retry={() => void list.refetch()} />}
      <DataTable
        label={words.answers}
        rows={list.rows}
        keyOf={({ id }) => id}
        empty={words.noAnswers}
        loading={list.isPending}
        columns={[
          {
            id: 'order',
            name: words.column.order,
            cell: ({ order_id: id }) => (
              <Link to="/orders/$id" params={{ id }} aria-label={id}>
                <ShortId id={id} />
              </Link>
            ),
          },
          {
            id: 'state',
            name: words.column.state,
            cell: ({ state }) => (
              <span className={`status ${words.deliveryTone[state]}`}>
                <span>{words.deliveryState[state]}</span>
              </span>
            ),
          },
          { id: 'since', name: words.column.since, cell: ({ created_at: at }) => <Time at={at} /> },
          { id: 'tries', name: words.column.tries, end: true, cell: ({ attempts }) => number(attempts.length) },
          { id: 'answer', name: words.column.answer, cell: ({ attempts }) => <Answer attempt={attempts.at(-1)} /> },
        ]}
      />
      {list.hasNextPage && (
        <button type="button" className="link-button" onClick={() => void list.fetchNextPage()}>
          {words.more}
        </button>
      )}
    </section>
  );
}

function Answer({ attempt }: Readonly<{ attempt: WebhookDelivery['attempts'][number] | undefined }>) {
  if (!attempt) return '–';
  const { http_status: status, error, answer, duration_ms: duration } = attempt;
  const text = `${status ?? words.noAnswer} · ${number(duration)} ms${error === null ? '' : ` · ${error}`}`;
  if (answer === null || answer === '') return text;
  return (
    <details>
      <summary>{text}</summary>
      <pre className="mono">{answer}</pre>
    </details>
  );
}
