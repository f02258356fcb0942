import { Command } from 'commander';
import type { Pool } from 'pg';
import { loadSettings } from '#base/load-settings';
import { DatabaseClock } from '#database/database-clock';
import { DeliveryHealth, type EndpointHealth } from '#outbound/delivery-health';
import { Drift, type DriftingOrder } from '#outbound/drift';
import { SystemClock } from '#base/clock';
import { recordChange } from './audit.js';
import { EXIT } from './terminal/exit-codes.js';
import { count } from './terminal/progress-line.js';
import { safeJson, visible } from './terminal/text-table.js';
import { UsageError } from './terminal/user-error.js';
import { wholeNumber } from './terminal/whole-number.js';
import { poolFor, type UsePool } from './database/with-pool.js';

type HealthOptions = { json?: boolean; check?: boolean; maxWait: number; maxParked: number };
type DriftOptions = {
  json?: boolean;
  check?: boolean;
  send?: boolean;
  dryRun?: boolean;
  limit: number;
  olderThan?: number;
};

const MAX_LISTED = 10_000;
const MAX_SECONDS = 366 * 24 * 60 * 60;
const MAX_PARKED = 1_000_000_000;
// The alarm threshold of docs/monitoring.md. A ping that is being delivered is no problem yet.
const CHECKED_AFTER_SECONDS = 300;

/** `delivery health|drift`: the state of delivery, and orders whose latest status the platform has not seen. */
export function deliveryCommand(use: UsePool = poolFor('delivery')): Command {
  return new Command('delivery')
    .description('how pings and webhooks are delivered')
    .addCommand(healthCommand(use))
    .addCommand(driftCommand(use));
}

/** Due times are compared with the clock of the database. */
async function databaseTime(pool: Pool): Promise<DatabaseClock> {
  return await new DatabaseClock(pool, new SystemClock()).read();
}

function healthCommand(use: UsePool): Command {
  return new Command('health')
    .description('the platform and each webhook: what is waiting, and the attempts of the last hour')
    .option('--check', 'for monitoring: exit with 1 and print the reason if something is wrong')
    .option(
      '--max-wait <seconds>',
      'with --check: the longest that a message may wait for delivery',
      wholeNumber(0, MAX_SECONDS),
      CHECKED_AFTER_SECONDS,
    )
    .option('--max-parked <n>', 'with --check: how many messages may be parked', wholeNumber(0, MAX_PARKED), 0)
    .option('--json', 'print JSON')
    .action(async ({ json, check, ...limits }: HealthOptions) => {
      const [endpoints, now] = await use(async (pool) => {
        const clock = await databaseTime(pool);
        return [await new DeliveryHealth(pool, clock, loadSettings()).read(), clock.now()] as const;
      });
      const problems = check ? endpoints.flatMap((endpoint) => problemsOf(endpoint, limits, now)) : [];
      if (json) console.log(safeJson(endpoints));
      // Monitoring systems show the first line.
      else
        console.log(
          [...(check ? [verdict(problems)] : []), ...endpoints.map((endpoint) => visible(asText(endpoint)))].join('\n'),
        );
      if (problems.length > 0) process.exitCode = EXIT.problem;
    });
}

const WRONG: Partial<Record<EndpointHealth['state'], string>> = {
  failing: 'its last attempts all failed',
  open: 'is held back, because it does not answer',
  disabled: 'is disabled',
};

/** The problems of an endpoint. Messages of a paused one may wait as long as they like. */
function problemsOf(health: EndpointHealth, limits: Pick<HealthOptions, 'maxWait' | 'maxParked'>, now: number) {
  const { endpoint, state, parked, oldest_undelivered_at: oldest } = health;
  const waited = oldest === null ? 0 : Math.floor((now - Date.parse(oldest)) / 1_000);
  return [
    ...(WRONG[state] === undefined ? [] : [`${endpoint} ${WRONG[state]}`]),
    ...(waited > limits.maxWait && state !== 'paused' ? [`${endpoint}: the oldest has waited ${count(waited)} s`] : []),
    ...(parked > limits.maxParked ? [`${endpoint}: ${count(parked)} ran out of tries`] : []),
  ];
}

function verdict(problems: readonly string[]): string {
  return problems.length === 0 ? 'OK' : `PROBLEM: ${problems.join('; ')}`;
}

function asText(health: EndpointHealth): string {
  const { endpoint, url, state, pending, parked, attempts, success_rate, p50_ms, p99_ms } = health;
  const since = health.oldest_undelivered_at === null ? '' : ` since ${health.oldest_undelivered_at}`;
  const rate = success_rate === null ? '' : `, ${(success_rate * 100).toFixed(1)} % of ${count(attempts)} succeeded`;
  const times = p50_ms === null || p99_ms === null ? '' : `, ${p50_ms} ms (p99 ${p99_ms} ms)`;
  const last = health.last_delivered_at === null ? '' : `, last ${health.last_delivered_at}`;
  const waiting = `${count(pending)} pending${since}, ${count(parked)} parked`;
  return `${endpoint}  ${state.padEnd(10)}  ${waiting}${rate}${times}${last}  ${url}`;
}

function driftCommand(use: UsePool): Command {
  return new Command('drift')
    .description('orders whose latest status the platform has neither acknowledged nor read')
    .option('--check', 'for monitoring: exit with 1 if an order drifts')
    .option('--send', 'send the missed pings of these orders again')
    .option('--dry-run', 'with --send: only list these pings')
    .option(
      '--older-than <seconds>',
      `ignore changes that are newer, because their pings may still be on the way; default: 0, with --check ${CHECKED_AFTER_SECONDS}`,
      wholeNumber(0, MAX_SECONDS),
    )
    .option('--limit <n>', 'orders to list', wholeNumber(1, MAX_LISTED), 100)
    .option('--json', 'print JSON')
    .action((options: DriftOptions) => {
      if (options.check && options.send) throw new UsageError('--check and --send do not go together.');
      return use(async (pool) => {
        const drift = new Drift(pool, await databaseTime(pool));
        if (!options.send && !options.dryRun) return await list(drift, options);
        await send(drift, options);
        if (!options.dryRun) await recordChange(pool, 'pings.sent', 'pings');
      });
    });
}

async function send(drift: Drift, { dryRun = false, json, olderThan = 0 }: DriftOptions): Promise<void> {
  const { matched, ids } = await drift.resendMatching({ older_than_seconds: olderThan }, { dryRun });
  if (json) return printJson({ dry_run: dryRun, matched, sent: dryRun ? 0 : matched, ids });
  const more = matched > ids.length ? [`and ${count(matched - ids.length)} more`] : [];
  const done = dryRun ? 'would be sent again.' : 'are sent again.';
  console.log([...ids, ...more, `${count(matched)} pings ${done}`].join('\n'));
}

async function list(drift: Drift, { json, limit, check, ...options }: DriftOptions): Promise<void> {
  const { olderThan = check ? CHECKED_AFTER_SECONDS : 0 } = options;
  const orders = await drift.list({ older_than_seconds: olderThan }, { limit: limit + 1 });
  const shown = orders.slice(0, limit);
  if (check && shown.length > 0) process.exitCode = EXIT.problem;
  if (json) return printJson({ orders: shown, more: orders.length > limit });
  const more = orders.length > limit ? ['and more: see --limit'] : [];
  const first = check ? [`PROBLEM: ${count(shown.length)}${orders.length > limit ? ' or more' : ''} orders drift`] : [];
  const none = check ? 'OK: no order drifts.' : 'No order drifts.';
  console.log(
    shown.length === 0 ? none : [...first, ...shown.map((order) => visible(line(order))), ...more].join('\n'),
  );
}

function line({
  order_id,
  status_code,
  status_message,
  changed_at,
  why,
  last_acknowledged,
  last_read_at,
}: DriftingOrder) {
  const acknowledged = last_acknowledged ? `told of status ${last_acknowledged.sequence}` : 'told of none';
  const read = last_read_at ? `, read ${last_read_at}` : ', never read';
  return `${order_id}  ${status_code} ${status_message} at ${changed_at}: ${why.replace('_', ' ')}; ${acknowledged}${read}`;
}

function printJson(value: object): void {
  console.log(safeJson(value));
}
