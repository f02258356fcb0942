import { Command } from 'commander';
import { doRequestedRebuilds } from './supervisor/do-requested-rebuilds.js';
import { untilInterrupted } from './terminal/interruption.js';
import { poolFor, type UsePool } from './database/with-pool.js';

/** `maintenance`: does the rebuilds that were requested in the console, because api and worker lack the rights. */
export function maintenanceCommand(use: UsePool = poolFor('maintenance', { asOwner: true })): Command {
  return new Command('maintenance')
    .description(
      "does the rebuilds that are asked for in the console, with the owner's login (MIGRATION_DATABASE_URL), until it is stopped",
    )
    .option('--once', 'do what is asked for now, and end')
    .action(async ({ once = false }: { once?: boolean }) => {
      const didAny = await untilInterrupted((stop) => use((pool) => doRequestedRebuilds(pool, stop, once)));
      if (once && !didAny) console.log('Nothing is asked for.');
    });
}
