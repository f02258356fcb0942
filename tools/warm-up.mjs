// Bundled by tools/bundle.mjs. Loads what the programs load, and does what they do at a start without a database, for tools/keep-code.mjs.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createApi } from '../dist/apps/api/src/start-api.js';
import { willcallProgram } from '../dist/apps/cli/src/program.js';
import { WorkerModule } from '../dist/apps/worker/src/worker.module.js';
import { parseSettings } from '../dist/libs/base/src/load-settings.js';
import { createLogger, NestLogger } from '../dist/libs/platform/src/logger.js';
import { TimeOrderedIds } from '../dist/libs/base/src/ids.js';

const SETTINGS = {
  DATABASE_URL: 'postgres://nowhere.invalid/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  SANDBOX: 'true',
  PUBLIC_URL: 'http://127.0.0.1:3000',
};

export async function warmUp() {
  const settings = parseSettings(SETTINGS);
  const logger = createLogger('build', 'silent');
  await (await createApi(settings, logger, new TimeOrderedIds())).close();
  const worker = await NestFactory.create(WorkerModule.for(settings, logger), new FastifyAdapter({ logger: false }), {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  await worker.close();
  await willcallProgram();
}
