import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { analyzeGrownTables } from '#database/grown-tables';
import { createPool } from '#database/pool';
import { SystemRandomness } from '#base/randomness';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { LogDouble } from '../../../../test/support/log-double.js';
import { replannedStatements } from '../../../../test/support/postgres/replanned-statements.js';
import { rowsRead } from '../../../../test/support/postgres/rows-read.js';
import { until } from '../../../../test/support/until.js';
import { createWebhookStand, type WebhookStand } from '../../../../test/support/webhooks/webhook-stand.js';
import { Signers } from '../endpoint.js';
import { WebhookLedger } from './webhook-ledger.js';

const BACKLOG = 1_000;

const clock = new FixedClock();
let stand: WebhookStand;
let pool: Pool;
beforeAll(async () => {
  stand = await createWebhookStand(clock);
  const { connectionString } = stand.owner.options;
  const options = { databaseUrl: connectionString ?? '', applicationName: 'test', onError: () => undefined };
  pool = createPool({ ...options, max: 1, lazyCommit: true, byIndex: true });
  // Otherwise it might come first.
  await stand.owner.query('alter table webhook_deliveries_before set (autovacuum_enabled = off)');
});
afterAll(async () => {
  await pool.end();
  await stand.stop();
});

it('records an attempt without scanning a backlog that came after its plan was made', async () => {
  const ledger = new WebhookLedger(pool, new Signers(stand.sealer, new LogDouble()), clock, new SystemRandomness(), {
    leaseMs: 20_000,
  });
  const webhook = await stand.create(stand.receiver.url);
  const lease = (await ledger.take(webhook.id))!;
  const deliverOne = async () => {
    const { due } = await ledger.due(webhook.id, { early: false });
    const [first] = due;
    if (!first) throw new Error('Nothing is due.');
    const { position, orderId } = first;
    const made = { position, orderId, url: '', startedAt: clock.now(), durationMs: 1, httpStatus: 200, error: null };
    await ledger.record(lease, { ...made, answer: null, state: 'delivered', dueSince: clock.now(), nextTryAt: null });
  };
  // PostgreSQL keeps a plan after the fifth execution until the tables are analysed again.
  for (let number = 1; number <= 10; number += 1) {
    await stand.addEntries(...stand.orders(1));
    await ledger.ingest(lease);
    if (number === 3) await stand.owner.query('analyze');
    await deliverOne();
  }
  await stand.addEntries(...stand.orders(BACKLOG));
  await ledger.ingest(lease);
  await until(async () => (await analyzeGrownTables(pool)).includes('webhook_deliveries'));
  const read = await rowsRead(pool, ['webhook_deliveries'], deliverOne);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(600);
  expect(await replannedStatements(pool)).toEqual([]);
});
