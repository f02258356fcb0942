import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadSettings, SERVICE_NEEDS, settingWarnings, SettingsFault } from '#config/settings';
import { mendOf } from '#database/refused-database';
import { endWithSupervisor } from '#operations/end-with-supervisor';
import { createLogger, faultFields, NestLogger } from '#operations/logger';
import { EncryptionKeyCheck } from '#platform-auth/encryption-key-check';
import { WorkerModule } from './worker.module.js';

endWithSupervisor();
try {
  const settings = loadSettings(SERVICE_NEEDS);
  const logger = createLogger('worker', settings.LOG_LEVEL, settings.LOG_FORMAT);
  for (const warning of settingWarnings()) logger.warn({}, warning);
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkerModule.for(settings, logger),
    new FastifyAdapter({ logger: false }),
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  app.enableShutdownHooks();
  await app.get(EncryptionKeyCheck).start(giveUp);
  await app.listen(settings.WORKER_PORT, settings.WORKER_HOST);
  logger.info({ address: await app.getUrl() }, 'listening');
} catch (fault) {
  giveUp(fault);
}

function giveUp(fault: unknown): void {
  const logger = createLogger('worker', 'info');
  const mend = mendOf(fault);
  const fields = mend === undefined ? faultFields(fault) : { reason: mend };
  logger.error(fault instanceof SettingsFault ? { faults: fault.faults } : fields, 'could not start');
  setImmediate(() => process.exit(1));
}
