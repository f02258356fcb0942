import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { InvalidAnchor } from './anchor-file.js';
import { logSize } from '#event-store/log-size';
import { TablesInUse } from '#orders/rebuild';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import type { LedgerProof } from './ledger-check.js';
import { LedgerProofs } from './ledger-proof.js';
import { type Checkpoint, Checkpoints } from './verification-checkpoints.js';
import { type Verification, verify } from './verify.js';
import { stringifyJson } from '#base/json';
import { MaintenanceRunner, RunRefused, type RunWork } from './maintenance-runner.js';
import { PRUNE, RECORD, type RunResult } from './maintenance/run-statements.js';

// A batch takes some tens of milliseconds. After a wait for a slow statement the pause need not be as long.
const LONGEST_PAUSE_MS = 100;

/** Verifications that somebody has asked for, in a process that has other work too. */
@Injectable()
export class VerificationRuns {
  private readonly runner: MaintenanceRunner;

  constructor(
    private readonly pool: Pool,
    ids: Ids,
    @Inject(Clock) private readonly clock: Clock,
    private readonly proofs: LedgerProofs,
  ) {
    this.runner = new MaintenanceRunner(pool, ids);
  }

  /** Does the verification that waits, if there is one. */
  async step(stop: AbortSignal): Promise<void> {
    await this.runner.runRequested(
      'verify',
      verificationWork(this.pool, this.clock, () => this.proofs.load()),
      stop,
    );
  }
}

/** Pauses for as long as it works, so that pings and webhooks of the same process do not wait for it. */
function verificationWork(pool: Pool, clock: Clock, proof: () => Promise<LedgerProof>): RunWork {
  return async ({ id }, report, signal) => {
    const checkpoints = new Checkpoints(pool, id);
    const from = await checkpoints.load();
    const total = await logSize(pool);
    let workedSince = clock.monotonic();
    const onProgress = async ({ events }: Readonly<{ events: number }>) => {
      const step = events < total ? 'replaying' : 'comparing whole tables';
      report({ step, done: Math.min(events, total), total });
      await sleep(Math.min(LONGEST_PAUSE_MS, clock.monotonic() - workedSince));
      workedSince = clock.monotonic();
    };
    try {
      const onCheckpoint = (checkpoint: Checkpoint) => checkpoints.save(checkpoint);
      return resultOf(await verify(pool, { onProgress, onCheckpoint, from, signal, ...(await proof()) }));
    } catch (error) {
      const isRefusal = error instanceof TablesInUse || error instanceof InvalidAnchor;
      throw isRefusal ? new RunRefused(error.message, { cause: error }) : error;
    }
  };
}

const resultOf = ({ checked, ledger, found, differences }: Verification): RunResult => ({
  checked: { ...checked, chained: ledger.chained, anchors: ledger.anchors },
  found: found as Record<string, number>,
  findings: [...differences],
});

/** Adds a verification that was done in a shell to the list of runs. */
export async function recordVerification(
  pool: Pool,
  ids: Ids,
  done: Readonly<{ actor: string; ms: number; verification: Verification }>,
): Promise<void> {
  const result = stringifyJson(resultOf(done.verification));
  await pool.query(RECORD, [ids.next('run'), 'verify', done.actor, done.ms, result]);
  await pool.query(PRUNE);
}
