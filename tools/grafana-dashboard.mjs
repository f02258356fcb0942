// The dashboard of Grafana, which `npm run docs` writes.
export const DASHBOARD_FILE = 'deploy/monitoring/grafana-dashboard.json';

const PURCHASES = 'willcall_http_request_seconds_bucket{method="POST", route="/checkout/v1/purchases"}';
const quantile = (q, of) => `histogram_quantile(${q}, sum by (le) (rate(${of}[$__rate_interval])))`;

/**
 * Rows of panels, what is wrong first. `expr` maps a legend to its query; `unit` is Grafana's name of it.
 * Every process reports the same values for pings, feed, queues and money: those take the maximum.
 */
const ROWS = {
  'Is anything late?': [
    {
      title: 'Oldest thing that waits',
      unit: 's',
      expr: {
        ping: 'max(willcall_oldest_undelivered_ping_seconds)',
        webhook: 'max(willcall_oldest_pending_webhook_seconds)',
        feed: 'max(willcall_feed_backlog_seconds)',
        'ping stream': 'max(willcall_stream_backlog_seconds)',
        'payment: {{step}}': 'max by (step) (willcall_oldest_due_payment_seconds)',
        'event of {{provider}}': 'max by (provider) (willcall_oldest_waiting_provider_event_seconds)',
      },
    },
    { title: 'Pings', unit: 'short', expr: { '{{state}}': 'max by (state) (willcall_pings)' } },
    { title: 'Open tasks about money', unit: 'short', expr: { '{{kind}}': 'max by (kind) (willcall_money_tasks)' } },
    {
      title: 'Since the last anchor of the ledger',
      unit: 's',
      expr: { age: 'time() - max(willcall_ledger_anchored_timestamp_seconds)' },
    },
  ],
  Sales: [
    {
      title: 'Purchases by outcome',
      unit: 'ops',
      expr: { '{{outcome}}': 'sum by (outcome) (rate(willcall_purchases_total[$__rate_interval]))' },
    },
    {
      title: 'How long a purchase takes',
      unit: 's',
      expr: { median: quantile(0.5, PURCHASES), 'slowest 1 %': quantile(0.99, PURCHASES) },
    },
    {
      title: 'Requests by status',
      unit: 'reqps',
      expr: { '{{status}}': 'sum by (status) (rate(willcall_http_request_seconds_count[$__rate_interval]))' },
    },
    {
      title: 'Slowest routes (slowest 1 % of requests)',
      unit: 's',
      expr: {
        '{{method}} {{route}}':
          'topk(8, histogram_quantile(0.99, sum by (le, method, route) (rate(willcall_http_request_seconds_bucket[$__rate_interval]))))',
      },
    },
  ],
  Delivery: [
    {
      title: 'Attempts of pings',
      unit: 'ops',
      expr: { '{{outcome}}': 'sum by (outcome) (rate(willcall_ping_attempts_total[$__rate_interval]))' },
    },
    {
      title: 'Attempts of webhooks',
      unit: 'ops',
      expr: { '{{outcome}}': 'sum by (outcome) (rate(willcall_webhook_attempts_total[$__rate_interval]))' },
    },
    {
      title: 'Jobs in queues',
      unit: 'short',
      expr: {
        '{{queue_state}}': 'max by (queue_state) (willcall_queue_jobs)',
        'webhooks {{state}}': 'max by (state) (willcall_webhook_queue_jobs)',
      },
    },
    {
      title: 'From an event to the feed',
      unit: 's',
      expr: {
        median: quantile(0.5, 'willcall_feed_lag_seconds_bucket'),
        'slowest 1 %': quantile(0.99, 'willcall_feed_lag_seconds_bucket'),
      },
    },
  ],
  Processes: [
    {
      title: 'Processors in use',
      unit: 'short',
      expr: { '{{instance}}': 'rate(process_cpu_seconds_total[$__rate_interval])' },
    },
    { title: 'Memory', unit: 'bytes', expr: { '{{instance}}': 'process_resident_memory_bytes' } },
    {
      title: 'Connections to PostgreSQL',
      unit: 'short',
      expr: { '{{instance}} {{use}}': 'sum by (instance, use) (willcall_database_connections)' },
    },
    {
      title: 'Failed runs of background tasks',
      unit: 'ops',
      expr: { '{{task}}': 'sum by (task) (rate(willcall_task_runs_total{outcome="failed"}[$__rate_interval])) > 0' },
    },
  ],
};

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
/** Of the 24 columns of Grafana's grid. */
const [WIDTH, HEIGHT] = [12, 8];

function panelsOf(rows) {
  const panels = [];
  let y = 0;
  for (const [title, parts] of Object.entries(rows)) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: 24, h: 1 },
    });
    y += 1;
    for (const [i, { title: name, unit, expr }] of parts.entries()) {
      panels.push({
        id: panels.length + 1,
        type: 'timeseries',
        title: name,
        datasource: DATASOURCE,
        gridPos: { x: (i % 2) * WIDTH, y: y + Math.floor(i / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
        targets: Object.entries(expr).map(([legendFormat, query], n) => ({
          refId: String.fromCharCode(65 + n),
          datasource: DATASOURCE,
          expr: query,
          legendFormat,
        })),
      });
    }
    y += Math.ceil(parts.length / 2) * HEIGHT;
  }
  return panels;
}

/** The text of the file, for Grafana 10 and newer (schema 39); import asks for the data source. */
export function grafanaDashboard() {
  const dashboard = {
    uid: 'willcall',
    title: 'Willcall',
    tags: ['willcall'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
    panels: panelsOf(ROWS),
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}
