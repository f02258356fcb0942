import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

// Seconds. The buckets are fine around the targets of 50 ms (feed) and 100 ms (ping).
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

const SHARED_FOR_MS = 250;
const READ_WITHIN_MS = 2_000;

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

  readonly anchorFailures = new Counter({
    name: 'willcall_ledger_anchor_failures_total',
    help: 'Anchors of the ledger that a place did not take: file, webhook or bucket',
    labelNames: ['place'],
    registers: [this.registry],
  });

  readonly databaseConnectionsEnded = new Counter({
    name: 'willcall_database_connections_ended_total',
    help: 'Connections to PostgreSQL that were ended because nothing came any more: unanswered, unread or gone',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  readonly feedLag = new Histogram({
    name: 'willcall_feed_lag_seconds',
    help: 'From the append of an event to its place in the feed',
    buckets: SECONDS,
    registers: [this.registry],
  });

  #text: Promise<string> | undefined;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /**
   * Everything in the text format of Prometheus. Readers within a quarter of a second share one text, and its queries: many of them cost the
   * process and the database no more than one.
   */
  text(): Promise<string> {
    if (this.#text) return this.#text;
    const text = this.registry.metrics();
    this.#text = text;
    const forget = () => void (this.#text = undefined);
    text.then(() => setTimeout(forget, SHARED_FOR_MS).unref(), forget);
    return text;
  }

  /**
   * `read` is called for each text. Without a label it must return one number. If it fails, has no number or takes longer than two seconds,
   * that text omits the gauge; a read that goes on is not begun again meanwhile.
   */
  gauge(name: string, help: string, label: string | undefined, read: () => Promise<Record<string, number>>): void {
    let reading: Promise<Record<string, number>> | undefined;
    const readOnce = () => {
      reading ??= read().finally(() => (reading = undefined));
      return inTime(reading);
    };
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [this.registry],
      async collect() {
        const values = Object.entries((await readOnce().catch(() => undefined)) ?? {});
        gauge.reset();
        // A value that is no number would fail the text of all.
        if (values.length > 0 && values.every(([, number]) => typeof number === 'number')) {
          for (const [value, number] of values) gauge.set(label === undefined ? {} : { [label]: value }, number);
        } else if (label === undefined) gauge.remove();
      },
    });
  }
}

/** Undefined if it takes longer. */
function inTime<T>(reading: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), READ_WITHIN_MS);
    const done = () => clearTimeout(timer);
    reading.finally(done).then(resolve, reject);
  });
}
