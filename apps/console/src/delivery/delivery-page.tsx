import { useQuery } from '@tanstack/react-query';
import type { DeliveryHealthReport } from '#contracts/backoffice/delivery';
import { ask } from '../api/http.js';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { PageHead } from '../frame/page-head.js';
import { Time } from '../frame/time.js';
import { deliveryWords as words } from '../words/delivery.js';
import { number } from '../words/formats.js';
import { ParkedPings } from './parked-pings.js';

const EVERY_MS = 3_000;
type Endpoint = DeliveryHealthReport['endpoints'][number];

/** Which endpoint is behind, since when, and what it answers. */
export function DeliveryPage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['delivery-health'],
    queryFn: ({ signal }) => ask<DeliveryHealthReport>('delivery/health', { signal }),
    refetchInterval: EVERY_MS,
  });
  const { column } = words;
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      <section className="section">
        <h2>{words.endpoints}</h2>
        <DataTable
          label={words.endpoints}
          rows={data?.endpoints ?? []}
          keyOf={({ endpoint }) => endpoint}
          empty={words.noEndpoints}
          loading={isPending}
          columns={[
            { id: 'endpoint', name: column.endpoint, cell: (endpoint) => <Name endpoint={endpoint} /> },
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
              cell: ({ success_rate: rate }) => (rate === null ? '–' : `${Math.floor(rate * 1000) / 10} %`),
            },
            { id: 'p50', name: column.p50, end: true, cell: ({ p50_ms }) => milliseconds(p50_ms) },
            { id: 'p99', name: column.p99, end: true, cell: ({ p99_ms }) => milliseconds(p99_ms) },
            {
              id: 'last',
              name: column.last,
              end: true,
              cell: ({ last_delivered_at: at }) => (at === null ? '–' : <Time at={at} />),
            },
          ]}
        />
      </section>
      <ParkedPings />
    </div>
  );
}

const milliseconds = (value: number | null) => (value === null ? '–' : `${number(value)} ms`);

function Name({ endpoint: { kind, url } }: Readonly<{ endpoint: Endpoint }>) {
  return (
    <>
      <strong>{kind === 'platform' ? words.platform : words.webhook}</strong>{' '}
      <span className="soft">{url === 'sandbox' ? words.sandbox : url}</span>
    </>
  );
}
