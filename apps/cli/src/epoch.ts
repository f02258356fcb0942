import { Command } from 'commander';
import { renewEpoch } from '#database/epoch';
import { poolFor, type UsePool } from './database/with-pool.js';

/**
 * `epoch show|renew`: the epoch of the database. A new one tells readers of the ping stream that their positions are no longer
 * valid.
 */
export function epochCommand(use: UsePool = poolFor('epoch', { asOwner: true })): Command {
  return new Command('epoch')
    .description('the epoch of the database; a restore or failover begins a new one')
    .addCommand(
      new Command('show')
        .description('prints the epoch and when it began')
        .option('--json', 'print JSON')
        .action(async ({ json }: Output) => {
          const { rows } = await use((pool) => pool.query<Row>(SHOW));
          const { epoch, since } = rows[0] ?? { epoch: '', since: new Date(0) };
          print({ epoch, since: since.toISOString() }, `${epoch}  since ${since.toISOString()}`, json);
        }),
    )
    .addCommand(
      new Command('renew')
        .description(
          'begins a new epoch by hand, after a restore that the server does not reveal; connections reconnect',
        )
        .option('--json', 'print JSON')
        .action(async ({ json }: Output) => {
          const epoch = await use(renewEpoch);
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
