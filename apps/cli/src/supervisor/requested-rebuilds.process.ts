import { loadSettings } from '#base/load-settings';
import { createPool } from '#database/pool';
import { endWithSupervisor } from '#platform/end-with-supervisor';
import { showSourcePositions } from '#platform/source-positions';
import { untilInterrupted } from '../terminal/interruption.js';
import { doRequestedRebuilds } from './do-requested-rebuilds.js';

// Two for the rebuild, and one for its progress.
const CONNECTIONS = 3;
const END_WITHIN_MS = 1_000;

showSourcePositions();
// The settings of the supervisor, which always sets it.
const { MIGRATION_DATABASE_URL: databaseUrl = '' } = loadSettings();
const pool = createPool({
  databaseUrl,
  max: CONNECTIONS,
  applicationName: 'willcall maintenance',
  onError: () => undefined,
  statementTimeoutMs: 0,
  asOwner: true,
});
const done = untilInterrupted((stop) => {
  // A statement that takes minutes is not waited for. The server rolls it back, and the run counts as interrupted.
  stop.addEventListener('abort', () => setTimeout(() => process.exit(1), END_WITHIN_MS).unref());
  return doRequestedRebuilds(pool, stop, true);
});
endWithSupervisor();
// Awaited by the file that tools/bundle.mjs writes for this program. A bundle cannot await at its top level.
export const ended = done
  .catch((error: Error) => {
    console.error(`Willcall: a rebuild failed: ${error.message}`);
    process.exitCode = 1;
  })
  .finally(() => pool.end());
