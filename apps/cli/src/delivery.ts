import { Command } from 'commander';
import type { Pool } from 'pg';
import { SystemClock } from '#ambient/clock';
import { loadSettings } from '#config/settings';
import { DatabaseClock } from '#database/database-clock';
import { DeliveryHealth, type EndpointHealth } from '#delivery-repair/delivery-health';
import { Drift, type DriftingOrder } from '#delivery-repair/drift';
import { count } from './progress-line.js';
import { wholeNumber } from './whole-number.js';
import { poolFor, type UsePool } from './with-pool.js';

type DriftOptions = { json?: boolean; send?: boolean; dryRun?: boolean; limit: number; olderThan: number };

const MOST_LISTED = 10_000;
const MOST_SECONDS = 366 * 24 * 60 * 60;

/** `delivery health|drift`: how delivery goes, and which orders the platform knows too little of. */
export function deliveryCommand(use: UsePool = poolFor('delivery')): Command {
  return new Command('delivery')
    .description('how pings and webhooks are delivered')
    .addCommand(healthCommand(use))
    .addCommand(driftCommand(use));
}

/** What is made due is due by the clock of the database. */
async function databaseTime(pool: Pool): Promise<DatabaseClock> {
  return await new DatabaseClock(pool, new SystemClock()).read();
}

function healthCommand(use: UsePool): Command {
  return new Command('health')
    .description('the platform and each webhook: what waits, and the last hour of attempts')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { PLATFORM_URL: platform = 'sandbox' } = loadSettings();
      const endpoints = await use(async (pool) => new DeliveryHealth(pool, await databaseTime(pool), platform).read());
      console.log(json ? JSON.stringify(endpoints, null, 2) : endpoints.map(asText).join('\n'));
    });
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
    .description('orders whose status the platform has neither acknowledged a ping of nor read')
    .option('--send', 'send again what the platform has missed of them')
    .option('--dry-run', 'with --send: only say which pings these are')
    .option(
      '--older-than <seconds>',
      'leave out what changed since: its ping may be on its way',
      wholeNumber(0, MOST_SECONDS),
      0,
    )
    .option('--limit <n>', 'orders to list', wholeNumber(1, MOST_LISTED), 100)
    .option('--json', 'print JSON')
    .action((options: DriftOptions) => {
      return use(async (pool) => {
        const drift = new Drift(pool, await databaseTime(pool));
        await (options.send || options.dryRun ? send(drift, options) : list(drift, options));
      });
    });
}

async function send(drift: Drift, { dryRun = false, json, olderThan }: DriftOptions): Promise<void> {
  const { matched, ids } = await drift.sendAgain({ older_than_seconds: olderThan }, { dryRun });
  if (json) return printJson({ dry_run: dryRun, matched, sent: dryRun ? 0 : matched, ids });
  const more = matched > ids.length ? [`and ${count(matched - ids.length)} more`] : [];
  const done = dryRun ? 'would be sent again.' : 'are sent again.';
  console.log([...ids, ...more, `${count(matched)} pings ${done}`].join('\n'));
}

async function list(drift: Drift, { json, limit, olderThan }: DriftOptions): Promise<void> {
  const orders = await drift.list({ older_than_seconds: olderThan }, { limit: limit + 1 });
  const shown = orders.slice(0, limit);
  if (json) return printJson({ orders: shown, more: orders.length > limit });
  const more = orders.length > limit ? ['and more: see --limit'] : [];
  console.log(shown.length === 0 ? 'No order drifts.' : [...shown.map(line), ...more].join('\n'));
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
  const told = last_acknowledged ? `told of status ${last_acknowledged.sequence}` : 'told of none';
  const read = last_read_at ? `, read ${last_read_at}` : ', never read';
  return `${order_id}  ${status_code} ${status_message} at ${changed_at}: ${why.replace('_', ' ')}; ${told}${read}`;
}

function printJson(value: object): void {
  console.log(JSON.stringify(value, null, 2));
}
