import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import type { ChartData } from '../charts/chart.js';
import { Figure } from '../charts/figure.js';
import { Lines } from '../charts/lines.js';
import { historySlots, historyTotals } from '../delivery/history-slots.js';
import { LATENCY, shortTime } from '../delivery/latency.js';
import { Stale } from '../frame/stale.js';
import { percent } from '../words/formats.js';
import { reportWords as words } from './report-words.js';
import type { Days } from './period.js';

const SUCCESS: Omit<ChartData, 'slots'> = {
  format: percent,
  series: [{ id: 'success', name: words.acknowledged, tone: 'confirmed' }],
};

/** How the platform answered the pings of the period, for those who may see deliveries. */
export function PingCharts({ range: { from, to, zone } }: Readonly<{ range: Days }>) {
  const { data: session } = useQuery(sessionQuery);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['delivery-history', from, to],
    queryFn: ({ signal }) => ask('GET delivery/history', { query: { from, to }, signal }),
    enabled: may(session, 'delivery:read'),
    placeholderData: keepPreviousData,
  });
  if (!data) return null;
  const points = data.endpoints.find(({ endpoint }) => endpoint === 'platform')?.points ?? [];
  const stepMs = data.step_seconds * 1_000;
  const slots = historySlots(points, {
    stepMs,
    from: Date.parse(from),
    to: Date.parse(to),
    nameOf: nameFor(stepMs, zone),
  });
  const totals = historyTotals(points);
  const shared = { slots, totals, slotName: words.day, empty: words.noPings, isEmpty: totals['success'] === null };
  return (
    <Stale when={isPlaceholderData} className="chart-pair" note={false}>
      <Figure {...SUCCESS} {...shared} title={words.pingSuccess} hint={words.pingSuccessHint}>
        {(onPoint) => <Lines {...SUCCESS} slots={slots} most={1} onPoint={onPoint} />}
      </Figure>
      <Figure {...LATENCY} {...shared} title={words.pingTimes}>
        {(onPoint) => <Lines {...LATENCY} slots={slots} format={shortTime} onPoint={onPoint} />}
      </Figure>
    </Stale>
  );
}

const DAY_MS = 86_400_000;
const DAY = { day: 'numeric', month: 'short' } as const;
const HOUR = { ...DAY, hour: '2-digit', minute: '2-digit' } as const;

function nameFor(stepMs: number, timeZone: string): (at: Date) => string {
  const ofDays = stepMs >= DAY_MS;
  const format = new Intl.DateTimeFormat('en-GB', { ...(ofDays ? DAY : HOUR), timeZone });
  // The server's days begin at midnight UTC. Each has the name of the day that it has most of.
  return (at) => format.format(ofDays ? at.getTime() + stepMs / 2 : at);
}
