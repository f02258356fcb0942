import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { MaintenanceRunner } from '#upkeep/maintenance-runner';
import { rebuildWork } from '#upkeep/rebuilds';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { knownArchive } from '../database/known-archive.js';

const LOOK_EVERY_MS = 2_000;

/** Returns whether there was one. @param once ends after the one that waits now */
export async function doRequestedRebuilds(pool: Pool, stop: AbortSignal, once: boolean): Promise<boolean> {
  const clock = new SystemClock();
  const runner = new MaintenanceRunner(pool, new TimeOrderedIds());
  const work = rebuildWork({ pool, archive: knownArchive() }, clock, ({ projection, ms }) => {
    console.log(`Willcall: ${projection} was rebuilt in ${(ms / 1_000).toFixed(1)} s`);
  });
  let didAny = false;
  do {
    try {
      didAny = (await runner.runRequested('rebuild', work, stop)) || didAny;
    } catch (error) {
      if (once) throw error;
      console.error(`Willcall: maintenance: ${(error as Error).message}`);
    }
    if (!once) await sleep(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
  } while (!once && !stop.aborted);
  return didAny;
}
