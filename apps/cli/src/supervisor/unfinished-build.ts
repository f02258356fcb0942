import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '#database/process-signals';

// Made by tools/install-and-build.mjs. It has the id of the process that builds.
const BUILDING = new URL('../../../../.willcall-building', import.meta.url);
const EVERY_MS = 50;

/** In a fresh clone, the start begins before its programs are bundled and the console is built. Returns when both are. */
export async function untilBuilt(stop: AbortSignal): Promise<void> {
  while (isBuilding()) await sleep(EVERY_MS, undefined, { signal: stop });
}

function isBuilding(): boolean {
  if (!existsSync(BUILDING)) return false;
  try {
    return isAlive(Number(readFileSync(BUILDING, 'utf8')));
  } catch {
    // It was removed just now.
    return false;
  }
}
