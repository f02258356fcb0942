import 'reflect-metadata';
import { TimeOrderedIds } from '#ambient/ids';
import { loadSettings, SERVICE_NEEDS, SettingsFault } from '#config/settings';
import { endWithSupervisor } from '#operations/end-with-supervisor';
import { createLogger, faultFields } from '#operations/logger';
import { startApi } from './start-api.js';

endWithSupervisor();
try {
  const settings = loadSettings(SERVICE_NEEDS);
  const logger = createLogger('api', settings.LOG_LEVEL);
  const { address } = await startApi(settings, logger, new TimeOrderedIds());
  logger.info({ address }, 'listening');
} catch (fault) {
  const logger = createLogger('api', 'info');
  logger.error(fault instanceof SettingsFault ? { faults: fault.faults } : faultFields(fault), 'could not start');
  process.exitCode = 1;
  setImmediate(() => process.exit(1));
}
