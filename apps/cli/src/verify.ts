import { Command } from 'commander';
import type { Pool } from 'pg';
import { logSize } from '#event-store/log-size';
import { recordVerification } from '#upkeep/verification-runs';
import { TablesInUse } from '#orders/rebuild';
import { TimeOrderedIds } from '#base/ids';
import type { Difference, Kind } from '#upkeep/differences';
import { type Verification, verify } from '#upkeep/verify';
import { type Checkpoint, Checkpoints, IN_SHELL } from '#upkeep/verification-checkpoints';
import type { LedgerProof, LedgerResult } from '#upkeep/ledger-check';
import { commandActor } from './audit.js';
import { knownProof } from './known-proof.js';
import { count, ProgressLine, progressOf } from './terminal/progress-line.js';
import { safeJson, visible } from './terminal/text-table.js';
import { UserError } from './terminal/user-error.js';
import { poolFor, type UsePool } from './database/with-pool.js';

type ProofOf = (pool: Pool, anchorPaths: readonly string[]) => Promise<Partial<LedgerProof>>;

/** `verify`: checks that everything stored besides the log agrees with it. Exit code 1 if something differs. */
export function verifyCommand(use: UsePool = poolFor('verify'), proofOf: ProofOf = knownProof): Command {
  return new Command('verify')
    .description('compares the log with its hashes, and everything derived from it with the log; lists the differences')
    .option(
      '--anchor <file...>',
      'also compare with these anchors (files, folders, s3://bucket/prefix); see LEDGER_ANCHORS',
    )
    .option('--resume', 'go on where the last one was interrupted')
    .option('--json', 'print JSON')
    .action(async ({ json, resume, anchor = [] }: { json?: boolean; resume?: boolean; anchor?: string[] }) => {
      const line = new ProgressLine();
      const verification = await use(async (pool) => {
        const proof = await proofOf(pool, anchor);
        const total = await logSize(pool);
        const began = performance.now();
        const onProgress = ({ events }: Readonly<{ events: number }>) => {
          const progress = progressOf(events, total, 'events', performance.now() - began);
          line.show(events < total ? progress : `${progress}; comparing whole tables`);
        };
        const checkpoints = new Checkpoints(pool, IN_SHELL);
        const from = resume ? await interrupted(checkpoints) : undefined;
        const onCheckpoint = (checkpoint: Checkpoint) => writeIfPossible(checkpoints.save(checkpoint));
        const verification = await verify(pool, { ...proof, onProgress, onCheckpoint, from });
        await record(pool, performance.now() - began, verification);
        await writeIfPossible(checkpoints.forget());
        return verification;
      })
        .catch((error: unknown) => {
          throw error instanceof TablesInUse ? new UserError(error.message) : error;
        })
        .finally(() => line.clear());
      console.log(json ? safeJson(verification) : asText(verification));
      if (verification.differences.length > 0) process.exitCode = 1;
    });
}

// 25006 read-only, e.g. a standby; 42P01 a database before the migration that adds the table.
const CANNOT_WRITE = ['25006', '42P01'];

/** Adds it to the past runs in the console. */
async function record(pool: Pool, ms: number, verification: Verification): Promise<void> {
  const done = { actor: commandActor(), ms, verification };
  await writeIfPossible(recordVerification(pool, new TimeOrderedIds(), done));
}

async function writeIfPossible(written: Promise<void>): Promise<void> {
  await written.catch((error: unknown) => {
    if (!CANNOT_WRITE.includes(String((error as { code?: unknown }).code))) throw error;
  });
}

async function interrupted(checkpoints: Checkpoints): Promise<Checkpoint> {
  const found = await checkpoints.load();
  if (!found) throw new UserError('No verification was interrupted. Start one without --resume.');
  return found;
}

function asText({ checked, ledger, archived, found, differences }: Verification): string {
  const things = Object.entries(checked).map(([name, number]) => `${count(number)} ${name}`);
  const kinds = Object.entries(found) as [Kind, number][];
  const isEmpty = checked.events === 0;
  return [
    `Compared ${things.join(', ')}.`,
    ...(isEmpty ? [] : ledgerText(ledger)),
    ...(archived > 0 ? [`Compared with ${count(archived)} files of the archive.`] : []),
    ...kinds.map(([kind, number]) => ofKind(kind, number, differences)),
    ...(isEmpty ? [EMPTY_LOG] : []),
    ...(kinds.length > 0 ? ['Something differs.'] : isEmpty ? [] : ['Everything agrees.']),
  ].join('\n');
}

const EMPTY_LOG = 'The log is empty, so nothing was verified. After a restore this means that nothing was restored.';

function ledgerText({ feed, chained, since, unkeyed, anchors }: LedgerResult): string[] {
  if (since === null)
    return ['Nothing is chained yet: the worker does it. Until then, a removed order may go unnoticed.'];
  return [
    `Chained under the key: ${count(chained)} of ${count(feed)} events, since ${since}.`,
    ...(unkeyed > 0
      ? [`${count(unkeyed)} of them are older than that: whether they were changed before is not known.`]
      : []),
    anchors > 0
      ? `Compared with ${count(anchors)} anchors.`
      : 'Compared with no anchor: whoever can write to the database may have removed the newest events. See LEDGER_ANCHORS.',
  ];
}

function ofKind(kind: Kind, number: number, differences: readonly Difference[]): string {
  const named = differences.filter((difference) => difference.kind === kind);
  const lines = named.map(({ id, at, column, problem }) => {
    return visible(`  ${[id, at, column].filter((part) => part !== undefined).join(' ')}: ${problem}`);
  });
  const more = number > named.length ? [`  and ${count(number - named.length)} more`] : [];
  return [`${kind}: ${count(number)} differences`, ...lines, ...more].join('\n');
}
