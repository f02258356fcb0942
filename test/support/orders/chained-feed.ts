import type { Pool } from 'pg';
import { Sealer } from '#base/sealing';
import { connectionConfig } from '#database/pool';
import { LedgerKey } from '#event-store/hash-chain';
import { AnchorFile } from '#upkeep/anchor-file';
import type { AnchorTarget } from '#event-store/anchoring';
import { LedgerKeeper } from '#event-store/ledger-keeper';
import { SystemRandomness } from '#base/randomness';
import { FixedClock } from '../fixed-clock.js';
import { until } from '../until.js';

/** With the ENCRYPTION_KEY of the test api. */
export const testSealer = new Sealer(Buffer.alloc(32, 7), new SystemRandomness());

export const testLedgerKey = new LedgerKey(testSealer.ledgerSecret);

export const CHAINED_AT = '2026-03-01T12:00:00.000Z';

const IS_CHAINED = 'select from feed having max(position) = (select max(position) from ledger)';

/** Does what the worker's task does, until the feed is chained to its end, and writes an anchor to a file or another place. */
export async function chainFeed(
  databaseUrl: string,
  pool: Pool,
  anchors: string | AnchorTarget,
  isDone = async () => (await pool.query(IS_CHAINED)).rowCount === 1,
): Promise<void> {
  let error: unknown;
  const keeper = new LedgerKeeper({
    connection: connectionConfig({ databaseUrl, applicationName: 'test' }),
    clock: new FixedClock(CHAINED_AT),
    sealer: testSealer,
    anchors: [typeof anchors === 'string' ? new AnchorFile(anchors) : anchors],
    onError: (thrown) => {
      error ??= thrown;
    },
  });
  keeper.start();
  await until(async () => error !== undefined || (await isDone()));
  await keeper.stop();
  if (error !== undefined) throw error;
}
