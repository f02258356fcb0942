import { Link } from '@tanstack/react-router';
import type { DeliveryHealthReport } from '#outbound/delivery.contract';
import { type Asked, DataTable } from '../frame/data-table.js';
import { Time } from '../frame/time.js';
import { deliveryWords as words } from './delivery-words.js';
import { number, percent } from '../words/formats.js';

export type Endpoint = DeliveryHealthReport['endpoints'][number];

type Props = Readonly<{
  endpoints: readonly Endpoint[];
  query: Asked;
  searchOf: (endpoint: string) => Readonly<Record<string, string>>;
}>;

const { column } = words;

/** Which endpoint is behind, since when, and how it answers. Its name shows its charts. */
export function EndpointTable({ endpoints, query, searchOf }: Props) {
  return (
    <section className="section">
      <h2>{words.endpoints}</h2>
      <DataTable
        label={words.endpoints}
        rows={endpoints}
        keyOf={({ endpoint }) => endpoint}
        empty={words.noEndpoints}
        query={query}
        columns={[
          {
            id: 'endpoint',
            name: column.endpoint,
            cell: (endpoint) => (
              <Link to="." search={searchOf(endpoint.endpoint)} resetScroll={false} className="endpoint-name">
                <strong>{kindOf(endpoint)}</strong> <span className="soft">{addressOf(endpoint)}</span>
              </Link>
            ),
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
        ]}
      />
    </section>
  );
}

export const milliseconds = (value: number | null): string => (value === null ? '–' : `${number(value)} ms`);

export const kindOf = ({ kind }: Endpoint): string => (kind === 'platform' ? words.platform : words.webhook);

export const addressOf = ({ url }: Endpoint): string => (url === 'sandbox' ? words.sandbox : url);
