import '../charts/charts.css';
import './delivery.css';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ask } from '../api/http.js';
import { PATH_PREFIX } from '../api/path-prefix.js';
import { may, sessionQuery } from '../api/session.js';
import { PageHead } from '../frame/page-head.js';
import { WebhookDeliveries } from '../settings/webhooks/webhook-deliveries.js';
import { deliveryWords as words } from './delivery-words.js';
import { DeliveryCharts, HOURS } from './delivery-charts.js';
import { DriftingOrders } from './drifting-orders.js';
import { addressOf, EndpointTable, kindOf } from './endpoint-table.js';
import { ParkedPings } from './parked-pings.js';
import { Trouble } from './trouble.js';
import { ReplayList } from './replay-list.js';

const EVERY_MS = 3_000;
const PLATFORM = 'platform';

/** Shows first what is wrong: which endpoint is behind, since when and what it answers, and sends again. Charts come after. The address says whose charts are shown. */
export function DeliveryPage() {
  const { data: session } = useQuery(sessionQuery);
  const mayAct = may(session, 'delivery:act');
  const search = useSearch({ from: '/frame/delivery' });
  const { endpoint: wanted = PLATFORM, hours: asked } = search;
  const hours = HOURS.find((one) => one === asked) ?? '24';
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['delivery-health'],
    queryFn: ({ signal }) => ask('GET delivery/health', { signal }),
    refetchInterval: EVERY_MS,
  });
  const endpoints = data?.endpoints ?? [];
  const shown = endpoints.find(({ endpoint }) => endpoint === wanted) ?? endpoints[0];
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        {mayAct && (
          <a href={`${PATH_PREFIX}/queues`} target="_blank" rel="noreferrer">
            {words.queues}
          </a>
        )}
      </PageHead>
      {data && <Trouble endpoints={endpoints} />}
      <EndpointTable
        endpoints={endpoints}
        query={{ error, isPending, refetch }}
        mayAct={mayAct}
        searchOf={(endpoint) => ({ endpoint, hours })}
      />
      {/* Asked for at once, shown below the table when that has its height. */}
      <div hidden={isPending}>
        <ParkedPings />
        <DriftingOrders />
        <DeliveryCharts
          endpoint={shown?.endpoint ?? PLATFORM}
          name={shown ? `${kindOf(shown)} · ${addressOf(shown)}` : ''}
          hours={hours}
          searchOf={(id) => ({ endpoint: shown?.endpoint ?? PLATFORM, hours: id })}
        />
        {shown?.kind === 'webhook' && <WebhookDeliveries key={shown.endpoint} id={shown.endpoint} mayAct={mayAct} />}
        <ReplayList endpoints={endpoints} />
      </div>
    </div>
  );
}
