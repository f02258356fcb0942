import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadServiceSettings } from '#config/service-settings';
import { SettingsError } from '#config/load-settings';
import { LeastPrivilege } from '#database/least-privilege';
import { adviceFor } from '#database/unusable-database';
import { endWithSupervisor } from '#operations/end-with-supervisor';
import { refuseUnknownHosts } from '#operations/known-host';
import { createLogger, errorFields, NestLogger } from '#operations/logger';
import { setSecurityHeaders } from '#operations/security-headers';
import { enforceShutdownDeadline, SERVICE_OVERTIME_MS } from '#operations/shutdown-deadline';
import { showSourcePositions } from '#operations/source-positions';
import { EncryptionKeyCheck } from '#platform-auth/encryption-key-check';
import { WorkerModule } from './worker.module.js';

// As in the api: rows are short-lived, though the first ones were not.
setFlagsFromString('--no-allocation-site-pretenuring');

showSourcePositions();
endWithSupervisor();
let isListening = false;
// Awaited by the file that tools/bundle.mjs writes for this program. A bundle cannot await at its top level.
export const ended = start();

async function start(): Promise<void> {
  try {
    const { settings, warnings } = loadServiceSettings();
    const logger = createLogger('worker', settings.LOG_LEVEL, settings.LOG_FORMAT);
    for (const warning of warnings) logger.warn({}, warning);
    enforceShutdownDeadline(settings.SHUTDOWN_GRACE_MS + SERVICE_OVERTIME_MS, () =>
      logger.error({}, 'could not stop in time'),
    );
    const app = await NestFactory.create<NestFastifyApplication>(
      WorkerModule.for(settings, logger),
      new FastifyAdapter({ logger: false }),
      { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
    );
    const fastify = app.getHttpAdapter().getInstance();
    setSecurityHeaders(fastify);
    const { PUBLIC_URL, WORKER_HOST: HOST, ALLOWED_HOSTS } = settings;
    refuseUnknownHosts(fastify, { PUBLIC_URL, HOST, ALLOWED_HOSTS });
    app.enableShutdownHooks();
    await app.get(EncryptionKeyCheck).start(exitWith);
    app.get(LeastPrivilege).onExcess(exitWith);
    await app.listen(settings.WORKER_PORT, settings.WORKER_HOST);
    logger.info({ address: await app.getUrl() }, 'listening');
    isListening = true;
  } catch (error) {
    exitWith(error);
  }
}

function exitWith(error: unknown): void {
  // Several connections may report the same.
  if (process.exitCode !== undefined) return;
  const logger = createLogger('worker', 'info');
  const advice = adviceFor(error);
  const fields = advice === undefined ? errorFields(error) : { reason: advice };
  logger.error(
    error instanceof SettingsError ? { errors: error.errors } : fields,
    isListening ? 'had to stop' : 'could not start',
  );
  process.exitCode = 1;
  setImmediate(() => process.exit(1));
}
