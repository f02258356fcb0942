import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

// Seconds. The buckets are fine around the targets of 50 ms (feed) and 100 ms (ping).
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

/** Not prom-client's global registry, because tests need several. */
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'willcall_http_request_seconds',
    help: 'Requests by route and status, with their duration',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  readonly purchases = new Counter({
    name: 'willcall_purchases_total',
    help: 'Purchases submitted, by outcome: accepted, the first code of the refusal, or fault',
    labelNames: ['variant', 'outcome'],
    registers: [this.registry],
  });

  readonly pingAttempts = new Counter({
    name: 'willcall_ping_attempts_total',
    help: 'Attempts to deliver a ping, by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly webhookAttempts = new Counter({
    name: 'willcall_webhook_attempts_total',
    help: 'Attempts to deliver to a webhook, by what became of the delivery',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly feedLag = new Histogram({
    name: 'willcall_feed_lag_seconds',
    help: 'From the append of an event to its place in the feed',
    buckets: SECONDS,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** `read` is called at each scrape. Without a label it must return one number. If it fails, that scrape omits the gauge. */
  gauge(name: string, help: string, label: string | undefined, read: () => Promise<Record<string, number>>): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [this.registry],
      async collect() {
        gauge.reset();
        const values = await read().catch(() => undefined);
        if (!values) return gauge.remove();
        for (const [value, number] of Object.entries(values)) {
          gauge.set(label === undefined ? {} : { [label]: value }, number);
        }
      },
    });
  }
}
