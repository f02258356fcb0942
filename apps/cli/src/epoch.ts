import { Command } from 'commander';
import type { Pool } from 'pg';
import { renewEpoch } from '#database/epoch';
import { recordChange } from './audit.js';
import { poolFor, type UsePool } from './database/with-pool.js';

/** The application's login ends the connections, because only it may. */
export type EpochPools = Readonly<{ owner: UsePool; application: UsePool }>;

/**
 * `epoch show|renew`: the epoch of the database. A new one tells readers of the ping stream that their positions are no longer
 * valid.
 */
export function epochCommand(
  { owner, application }: EpochPools = { owner: poolFor('epoch', { asOwner: true }), application: poolFor('epoch') },
): Command {
  return new Command('epoch')
    .description('the epoch of the database; a restore or failover begins a new one')
    .addCommand(
      new Command('show')
        .description('prints the epoch and when it began')
        .option('--json', 'print JSON')
        .action(async ({ json }: Output) => {
          const { rows } = await application((pool) => pool.query<Row>(SHOW));
          const { epoch, since } = rows[0] ?? { epoch: '', since: new Date(0) };
          print({ epoch, since: since.toISOString() }, `${epoch}  since ${since.toISOString()}`, json);
        }),
    )
    .addCommand(
      new Command('renew')
        .description(
          "begins a new epoch by hand, with the owner's login (MIGRATION_DATABASE_URL), after a restore that the server does not reveal; connections reconnect",
        )
        .option('--json', 'print JSON')
        .action(async ({ json }: Output) => {
          const renewed = async (pool: Pool, own: Pool) => {
            const epoch = await renewEpoch(pool, own);
            await recordChange(own, 'epoch.renewed', `epoch:${epoch}`);
            return epoch;
          };
          const epoch = await owner((pool) => application((own) => renewed(pool, own)));
          print({ epoch }, `The database is in epoch ${epoch} now.`, json);
        }),
    );
}

type Output = { json?: boolean };
type Row = { epoch: string; since: Date };

const SHOW = 'select current_epoch() as epoch, (select since from database_epoch) as since';

function print(value: object, text: string, json = false): void {
  console.log(json ? JSON.stringify(value) : text);
}
