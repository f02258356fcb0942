import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { rejectReadOnly } from '#base/load-settings';
import { TASK_GROUPS } from '#base/process-roles';
import { LeastPrivilege } from '#database/least-privilege';
import { endWithSupervisor } from '#platform/end-with-supervisor';
import { refuseUnknownHosts } from '#platform/known-host';
import { NestLogger } from '#platform/logger';
import { setSecurityHeaders } from '#platform/security-headers';
import { startService } from '#platform/service-start';
import { showSourcePositions } from '#platform/source-positions';
import { EncryptionKeyCheck } from '#platform/encryption-key-check';
import { WorkerModule } from './worker.module.js';

// As in the api: rows are short-lived, though the first ones were not.
setFlagsFromString('--no-allocation-site-pretenuring');

showSourcePositions();
endWithSupervisor();
// Awaited by the file that tools/bundle.mjs writes for this program. A bundle cannot await at its top level.
export const ended = startService('worker', async ({ settings, logger, exitWith }) => {
  rejectReadOnly(settings);
  const leftOut = TASK_GROUPS.filter((group) => !settings.TASKS.includes(group));
  if (leftOut.length > 0) {
    logger.info({}, `other workers must run the groups that TASKS leaves out here: ${leftOut.join(', ')}`);
  }
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkerModule.for(settings, logger),
    new FastifyAdapter({ logger: false }),
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  const fastify = app.getHttpAdapter().getInstance();
  setSecurityHeaders(fastify);
  const { PUBLIC_URL, WORKER_HOST: HOST, ALLOWED_HOSTS } = settings;
  refuseUnknownHosts(fastify, { PUBLIC_URL, HOST, ALLOWED_HOSTS });
  await app.get(EncryptionKeyCheck).start(exitWith);
  app.get(LeastPrivilege).onExcess(exitWith);
  await app.listen(settings.WORKER_PORT, settings.WORKER_HOST);
  // Not before: the pools would be closed under tasks that are just starting. Until then a signal ends the process.
  app.enableShutdownHooks();
  return await app.getUrl();
});
