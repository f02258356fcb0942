import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LedgerKeys } from '#event-store/hash-chain';
import type { SignedHead } from '#event-store/signed-heads';
import { parseJson, stringifyJson } from '#base/json';
import { SeededRandomness } from '#base/seeded-randomness';
import { AnchorFile } from '../anchor-file.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { chainFeed, testLedgerKey } from '../../../../test/support/orders/chained-feed.js';
import { LiveOrders } from '../../../../test/support/orders/live-orders.js';
import { connect, moveSomeToFeed, Tampering } from '../../../../test/support/orders/tampering.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { type Verification, verify } from '../verify.js';
import { type Checkpoint, STAGES } from '../verification-checkpoints.js';

const keys = new LedgerKeys([testLedgerKey]);
const STEPS = 3_000;
const EVENTS_A_PART = 500;

let anchors: readonly SignedHead[];
let database: TestDatabase;
let tampering: Tampering;
beforeAll(async () => {
  database = await createTestDatabase();
  const pool = connect(database);
  const path = join(temporaryFolder('anchors'), 'anchors.jsonl');
  const orders = new LiveOrders(pool, new SeededRandomness(37), testLedgerKey);
  for (let round = 0; round < 3; round += 1) {
    await orders.live(STEPS / 3);
    await moveSomeToFeed(pool);
    await chainFeed(database.url, pool, path);
  }
  anchors = new AnchorFile(path).read();
  await pool.end();
  tampering = await Tampering.with(database);
});
afterAll(async () => {
  await tampering.end();
  await database.drop();
});

/** The checkpoints of a verification, as they are stored. */
async function checkpointsOf(): Promise<Readonly<{ whole: Verification; checkpoints: readonly string[] }>> {
  const checkpoints: string[] = [];
  const onCheckpoint = async (checkpoint: Checkpoint) => void checkpoints.push(stringifyJson(checkpoint));
  const whole = await verify(tampering.pool, { keys, anchors, onCheckpoint, eventsAPart: EVENTS_A_PART });
  return { whole, checkpoints };
}

it('finds the same, and counts the same, wherever it was interrupted', async () => {
  await tampering.sql(`update orders set total_cents = 1 where id in (select id from orders order by id limit 30)`);
  await tampering.sql(`update ledger set head = sha256('forged') where position in (select min(position) from ledger)`);
  await tampering.sql(`update audit_log set actor = 'nobody'`);
  await tampering.sql(`delete from feed where position > (select max(position) - 5 from feed)`);
  await tampering.sql(
    `insert into purchase_keys (client_id, key, order_id) select client_id, 'ref:forged', id from orders limit 1`,
  );
  const { whole, checkpoints } = await checkpointsOf();
  expect(Object.keys(whole.found)).toEqual(expect.arrayContaining(['orders', 'ledger', 'feed', 'purchase_keys']));
  const stages = checkpoints.map((checkpoint) => (parseJson(checkpoint) as Checkpoint).stage);
  for (const stage of STAGES) expect(stages).toContain(stage);
  expect(stages.filter((stage) => stage === 'streams').length).toBeGreaterThan(2);
  expect(stages.filter((stage) => stage === 'ledger').length).toBeGreaterThan(1);
  for (const checkpoint of checkpoints) {
    const from = parseJson(checkpoint) as Checkpoint;
    expect(await verify(tampering.pool, { keys, anchors, from }), checkpoint).toEqual(whole);
  }
});
