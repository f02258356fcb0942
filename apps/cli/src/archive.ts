import { Command, InvalidArgumentError } from 'commander';
import { loadSettings } from '#base/load-settings';
import { TablesInUse } from '#orders/rebuild';
import { objectStoreOf } from '#platform/storage.module';
import { type Archived, archiveOrders } from '#upkeep/archiving';
import { type Rewritten, rewritePartitions } from '#upkeep/partition-rewrite';
import { recordChange } from './audit.js';
import { poolFor, type UsePool } from './database/with-pool.js';
import { count, ProgressLine } from './terminal/progress-line.js';
import { UserError } from './terminal/user-error.js';

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
/** Someone may still be writing what a younger order needs, and its reader may be behind. */
const YOUNGEST_MS = 30 * 86_400_000;

/** `archive`: moves the texts of the events of old orders into files. */
export function archiveCommand(use: UsePool = poolFor('archive', { asOwner: true })): Command {
  return new Command('archive')
    .description(
      "moves the events of closed orders into files, with the owner's login (MIGRATION_DATABASE_URL); their rows stay without texts",
    )
    .requiredOption('--before <month>', 'orders that were placed and last changed before this month (UTC)', monthOf)
    .action(async ({ before }: { before: Date }) => {
      const line = new ProgressLine();
      const onSegment = (archived: Archived) => line.show(textOf(archived));
      const files = objectStoreOf(loadSettings());
      const { done, rewritten } = await use(async (pool) => {
        const done = await archiveOrders(pool, files, { before, onSegment });
        const detail = { before: before.toISOString(), ...done };
        await recordChange(pool, 'orders.archived', 'orders', { detail });
        const onPartition = (name: string) => line.show(`writing ${name} anew`);
        return { done, rewritten: await rewritePartitions(pool, { endedBy: new Date(), onPartition }) };
      })
        .catch((error: unknown) => {
          throw error instanceof TablesInUse ? new UserError(error.message) : error;
        })
        .finally(() => line.clear());
      console.log(done.orders === 0 ? 'There is no closed order to archive.' : `Archived ${textOf(done)}.`);
      for (const partition of rewritten) console.log(rewriteText(partition));
    });
}

function monthOf(text: string): Date {
  const month = new Date(`${text}-01T00:00:00.000Z`);
  if (!MONTH.test(text)) throw new InvalidArgumentError('It is a month like 2025-01.');
  if (month.getTime() > Date.now() - YOUNGEST_MS) throw new InvalidArgumentError('It is at least 30 days ago.');
  return month;
}

function rewriteText({ name, bytesBefore, bytes, isBusy }: Rewritten): string {
  if (isBusy) return `${name} was read all the time. Run this again to give its space back.`;
  return `${name} takes ${kilobytes(bytes)} instead of ${kilobytes(bytesBefore)}.`;
}

const kilobytes = (bytes: number) => `${count(Math.ceil(bytes / 1_000))} kB`;

function textOf({ orders, events, segments, bytes }: Archived): string {
  return `${count(orders)} orders with ${count(events)} events: ${count(segments)} files with ${kilobytes(bytes)}`;
}
