import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DeliveryHealthReport } from '#outbound/delivery.contract';
import { ask } from '../api/http.js';
import { type Asked, DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { NamedText } from '../frame/named-text.js';
import { Time } from '../frame/time.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { deliveryWords as words } from './delivery-words.js';
import { number, percent } from '../words/formats.js';

export type Endpoint = DeliveryHealthReport['endpoints'][number];

type Props = Readonly<{
  endpoints: readonly Endpoint[];
  query: Asked;
  mayAct: boolean;
  searchOf: (endpoint: string) => Readonly<Record<string, string>>;
}>;

const { column } = words;

/** Worst first. */
const BY_TROUBLE: readonly Endpoint['state'][] = ['failing', 'open', 'disabled', 'behind', 'paused', 'delivering'];

/** Which endpoint is behind, since when, and how it answers: what is wrong first. What waits can be tried at once. */
export function EndpointTable({ endpoints, query, mayAct, searchOf }: Props) {
  const client = useQueryClient();
  const attempt = useMutationOnce({
    keyOf: ({ endpoint }) => endpoint,
    mutationFn: async ({ kind, endpoint: id }: Endpoint) => {
      if (kind === 'platform') await ask('POST pings/send', { body: { state: 'pending' } });
      // It also closes the breaker.
      else await ask('POST webhooks/{id}/resume', { path: { id } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['delivery-health'] }),
  });
  return (
    <section className="section">
      <h2>{words.endpoints}</h2>
      {attempt.error && <Failure error={attempt.error} />}
      <DataTable
        label={words.endpoints}
        rows={endpoints.toSorted((a, b) => BY_TROUBLE.indexOf(a.state) - BY_TROUBLE.indexOf(b.state))}
        keyOf={({ endpoint }) => endpoint}
        empty={words.noEndpoints}
        query={query}
        columns={[
          {
            id: 'endpoint',
            name: column.endpoint,
            cell: (endpoint) => <EndpointName endpoint={endpoint} />,
          },
          {
            id: 'state',
            name: column.state,
            cell: ({ state }) => (
              <span className={`status ${words.tone[state] ?? 'none'}`}>
                <span>{words.state[state] ?? state}</span>
              </span>
            ),
          },
          { id: 'pending', name: column.pending, end: true, cell: ({ pending }) => number(pending) },
          { id: 'parked', name: column.parked, end: true, cell: ({ parked }) => number(parked) },
          {
            id: 'oldest',
            name: column.oldest,
            end: true,
            cell: ({ oldest_undelivered_at: at }) => (at === null ? '–' : <Time at={at} />),
          },
          {
            id: 'success',
            name: column.success,
            end: true,
            cell: ({ success_rate: rate }) => (rate === null ? '–' : percent(rate)),
          },
          { id: 'p50', name: column.p50, end: true, cell: ({ p50_ms: p50 }) => milliseconds(p50) },
          { id: 'p99', name: column.p99, end: true, cell: ({ p99_ms: p99 }) => milliseconds(p99) },
          {
            id: 'last',
            name: column.last,
            end: true,
            cell: ({ last_delivered_at: at }) => (at === null ? '–' : <Time at={at} />),
          },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (endpoint) => (
              <span className="endpoint-acts">
                <Link to="." search={searchOf(endpoint.endpoint)} resetScroll={false}>
                  <NamedText text={words.charts} name={words.chartsOf(addressOf(endpoint))} />
                </Link>
                {mayAct && endpoint.pending > 0 && endpoint.state !== 'paused' && (
                  <Button variant="default" size="compact-xs" onClick={() => attempt.mutate(endpoint)}>
                    <NamedText text={words.tryNow} name={words.tryNowOf(addressOf(endpoint))} />
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
    </section>
  );
}

/** A webhook has a page of its own. */
function EndpointName({ endpoint }: Readonly<{ endpoint: Endpoint }>) {
  const name = (
    <>
      <strong>{kindOf(endpoint)}</strong> <span className="soft">{addressOf(endpoint)}</span>
    </>
  );
  if (endpoint.kind === 'platform') return name;
  return (
    <Link to="/settings/webhooks/$id" params={{ id: endpoint.endpoint }} className="endpoint-name">
      {name}
    </Link>
  );
}

export const milliseconds = (value: number | null): string => (value === null ? '–' : `${number(value)} ms`);

export const kindOf = ({ kind }: Endpoint): string => (kind === 'platform' ? words.platform : words.webhook);

export const addressOf = ({ url }: Endpoint): string => (url === 'sandbox' ? words.sandbox : url);
