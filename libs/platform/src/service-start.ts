import { SettingsError } from '#base/load-settings';
import { loadServiceSettings } from '#base/service-settings';
import type { Settings } from '#base/settings';
import { adviceFor } from '#database/unusable-database';
import { collectGarbage } from './garbage.js';
import { createLogger, errorFields } from './logger.js';
import { startTraces } from './trace-export.js';
import { enforceShutdownDeadline, SERVICE_OVERTIME_MS } from './shutdown-deadline.js';

export type StartingService = Readonly<{
  settings: Settings;
  logger: ReturnType<typeof createLogger>;
  /** Logs why the service cannot go on, and exits with 1. */
  exitWith: (error: unknown) => void;
}>;

/**
 * Reads the settings of a service, limits how long it may take to stop, and starts it. A service that cannot start, or that has to stop later,
 * says so in one line of its log.
 * @param listen returns the address on which the service listens
 */
export async function startService(
  name: 'api' | 'worker',
  listen: (service: StartingService) => Promise<string>,
): Promise<void> {
  let isListening = false;
  const exitWith = (error: unknown) => {
    // Several connections may report the same.
    if (process.exitCode !== undefined) return;
    const logger = createLogger(name, 'info');
    const advice = adviceFor(error);
    const fields = advice === undefined ? errorFields(error) : { reason: advice };
    logger.error(
      error instanceof SettingsError ? { errors: error.errors } : fields,
      isListening ? 'had to stop' : 'could not start',
    );
    process.exitCode = 1;
    setImmediate(() => process.exit(1));
  };
  try {
    const { settings, warnings } = loadServiceSettings();
    await startTraces(`willcall-${name}`, settings);
    const logger = createLogger(name, settings.LOG_LEVEL, settings.LOG_FORMAT);
    for (const warning of warnings) logger.warn({}, warning);
    enforceShutdownDeadline(settings.SHUTDOWN_GRACE_MS + SERVICE_OVERTIME_MS, () =>
      logger.error({}, 'could not stop in time'),
    );
    const address = await listen({ settings, logger, exitWith });
    collectGarbage();
    logger.info({ address }, 'listening');
    isListening = true;
  } catch (error) {
    exitWith(error);
  }
}
