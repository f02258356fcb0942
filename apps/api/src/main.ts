import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { TimeOrderedIds } from '#runtime/ids';
import { loadServiceSettings } from '#config/service-settings';
import { SettingsError } from '#config/load-settings';
import { adviceFor } from '#database/unusable-database';
import { endWithSupervisor } from '#operations/end-with-supervisor';
import { createLogger, errorFields } from '#operations/logger';
import { enforceShutdownDeadline, SERVICE_OVERTIME_MS } from '#operations/shutdown-deadline';
import { showSourcePositions } from '#operations/source-positions';
import { startApi } from './start-api.js';

// V8 makes objects in the old generation right away if others from the same place in the code lived long. The caches that an api loads
// at its start teach it that of the rows of PostgreSQL, and then most of a request becomes old garbage (docs/decisions.md).
setFlagsFromString('--no-allocation-site-pretenuring');
// By default V8 lets old garbage grow to 100 MB before it collects it.
setFlagsFromString('--heap-growing-percent=40');

showSourcePositions();
endWithSupervisor();
let isListening = false;
// Awaited by the file that tools/bundle.mjs writes for this program. A bundle cannot await at its top level.
export const ended = start();

async function start(): Promise<void> {
  try {
    const { settings, warnings } = loadServiceSettings();
    const logger = createLogger('api', settings.LOG_LEVEL, settings.LOG_FORMAT);
    for (const warning of warnings) logger.warn({}, warning);
    enforceShutdownDeadline(settings.SHUTDOWN_GRACE_MS + SERVICE_OVERTIME_MS, () =>
      logger.error({}, 'could not stop in time'),
    );
    const { address } = await startApi(settings, logger, new TimeOrderedIds(), exitWith);
    logger.info({ address }, 'listening');
    isListening = true;
  } catch (error) {
    exitWith(error);
  }
}

function exitWith(error: unknown): void {
  // Several connections may report the same.
  if (process.exitCode !== undefined) return;
  const logger = createLogger('api', 'info');
  const advice = adviceFor(error);
  const fields = advice === undefined ? errorFields(error) : { reason: advice };
  logger.error(
    error instanceof SettingsError ? { errors: error.errors } : fields,
    isListening ? 'had to stop' : 'could not start',
  );
  process.exitCode = 1;
  setImmediate(() => process.exit(1));
}
