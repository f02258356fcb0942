import { Button, NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookDelivery } from '#outbound/webhook.contract';
import { ask } from '../../api/http.js';
import { isObject } from '../../api/is-object.js';
import { keysOf } from '../../api/keys-of.js';
import { DataTable } from '../../frame/data-table.js';
import { Failure } from '../../frame/failure.js';
import { OrderLink } from '../../frame/order-link.js';
import { Section } from '../../frame/section.js';
import { Time } from '../../frame/time.js';
import { NamedText } from '../../frame/named-text.js';
import { usePageQuery } from '../../frame/use-page-query.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { number } from '../../words/formats.js';
import { webhookWords as words } from './webhook-words.js';
import { MoreButton } from '../../frame/more-button.js';

const TONES: Readonly<Record<WebhookDelivery['state'], string>> = {
  delivered: 'confirmed',
  pending: 'pending',
  parked: 'exception',
};

const STATES = keysOf(words.deliveryStates);

/** What a webhook was sent, newest first, with each try and its answer. */
export function WebhookDeliveries({ id, mayAct }: Readonly<{ id: string; mayAct: boolean }>) {
  const client = useQueryClient();
  const [state, setState] = useState<WebhookDelivery['state'] | 'all'>('all');
  const query = { limit: 50, ...(state !== 'all' && { state }) };
  const list = usePageQuery('GET webhooks/{id}/deliveries', { path: { id }, query }, ({ deliveries }) => deliveries);
  const send = useMutationOnce({
    keyOf: ({ id }) => id,
    mutationFn: (delivery: WebhookDelivery) =>
      ask('POST webhooks/{id}/deliveries/{delivery}/send', { path: { id, delivery: delivery.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['list'] }),
  });
  return (
    <Section
      title={words.deliveries}
      action={
        <NativeSelect
          aria-label={words.show}
          value={state}
          data={Object.entries(words.deliveryStates).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => setState(STATES.find((one) => one === currentTarget.value) ?? 'all')}
        />
      }
    >
      {send.error && <Failure error={send.error} />}
      <p role="status" className={send.isSuccess ? 'news' : 'visually-hidden'}>
        {send.isSuccess ? words.sent : ''}
      </p>
      <DataTable
        label={words.deliveries}
        rows={list.rows}
        keyOf={(delivery) => delivery.id}
        empty={words.noDeliveries}
        query={list}
        columns={[
          { id: 'when', name: words.when, cell: ({ created_at }) => <Time at={created_at} /> },
          { id: 'order', name: words.order, cell: ({ order_id }) => <OrderLink id={order_id} /> },
          { id: 'status', name: words.status, cell: ({ body }) => <Change body={body} /> },
          {
            id: 'state',
            name: words.state,
            cell: ({ state: is, next_try_at: next }) => (
              <span className={`status ${TONES[is]}`}>
                <span>
                  {words.deliveryStates[is]}
                  {is === 'pending' && next !== null && (
                    <span className="soft small">
                      {' '}
                      {words.next} <Time at={next} />
                    </span>
                  )}
                </span>
              </span>
            ),
          },
          { id: 'answer', name: words.answer, cell: (delivery) => <Attempts delivery={delivery} /> },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (delivery) =>
              mayAct && (
                <Button variant="default" size="compact-xs" onClick={() => send.mutate(delivery)}>
                  <NamedText text={words.send} name={words.sendOf(delivery.id)} />
                </Button>
              ),
          },
        ]}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
    </Section>
  );
}

function Change({ body }: Pick<WebhookDelivery, 'body'>) {
  const { status_message: message } = isObject(body['data']) ? body['data'] : {};
  return typeof message === 'string' ? message : words.none;
}

function Attempts({ delivery: { attempts, body } }: Readonly<{ delivery: WebhookDelivery }>) {
  const last = attempts.at(-1);
  if (!last) return <span className="soft">{words.none}</span>;
  return (
    <details>
      <summary>
        {last.http_status ?? last.error ?? words.arrived}{' '}
        <span className="soft small">
          {words.tries}: {number(attempts.length)}
        </span>
      </summary>
      <ol className="lines">
        {attempts.map(({ attempt, started_at, http_status, error, answer, duration_ms }) => (
          <li key={attempt}>
            <Time at={started_at} /> <span className="soft small">{words.attempt(attempt, number(duration_ms))}</span>{' '}
            {http_status ?? (error === null ? words.arrived : words.noAnswer)}
            {error !== null && <span className="late"> {error}</span>}
            {answer !== null && answer !== '' && <pre className="mono code">{answer}</pre>}
          </li>
        ))}
      </ol>
      <p className="soft small">{words.body}</p>
      <pre className="mono code">{JSON.stringify(body, null, 2)}</pre>
    </details>
  );
}
