import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { endWithSupervisor } from '#platform/end-with-supervisor';
import { BareModule } from './bare.module.js';

/** `node main.js '{"port":…,"databaseUrl":…}'`: the least code that can answer the same requests. */
const { port, databaseUrl } = JSON.parse(process.argv[2] ?? '{}') as { port: number; databaseUrl: string };

const app = await NestFactory.create<NestFastifyApplication>(
  BareModule.for(databaseUrl),
  new FastifyAdapter({ logger: false }),
  { logger: ['error'], abortOnError: false },
);
endWithSupervisor();
app.enableShutdownHooks();
await app.listen(port, '127.0.0.1');
