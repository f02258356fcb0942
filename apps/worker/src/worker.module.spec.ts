import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { queueErrors } from '#delivery-kit/queue-task';
import { createLogger, NestLogger } from '#platform/logger';
import { tableErrors } from '#platform/background-task';
import { TaskRunner } from '#platform/tasks/task-runner';
import { PING_SUBSCRIPTION } from '#outbound/ping-delivery.tasks';
import { WORKER_TASKS } from './background-tasks.js';
import { WorkerModule } from './worker.module.js';

const NOWHERE = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  LOG_LEVEL: 'silent',
  SANDBOX: 'true',
};

/** Runs the worker without a database until its tasks have started. */
async function runningTasks(environment: Record<string, string> = {}): Promise<readonly string[]> {
  const settings = parseSettings({ ...NOWHERE, ...environment });
  const logger = createLogger('worker', 'silent');
  const options = { abortOnError: false, logger: new NestLogger(logger) };
  const app = await NestFactory.createApplicationContext(WorkerModule.for(settings, logger), options);
  try {
    return app.get(TaskRunner, { strict: false }).names;
  } finally {
    await app.close();
  }
}

it('runs every task of the table, each with its handler', async () => {
  expect(await runningTasks()).toEqual(WORKER_TASKS.map(({ name }) => name));
}, 60_000);

it('omits the tasks of the sandbox platform if there is a platform', async () => {
  const names = await runningTasks({ PLATFORM_URL: 'https://platform.example' });
  const others = WORKER_TASKS.filter(({ onlyIf }) => onlyIf === undefined);
  expect(names).toEqual(others.map(({ name }) => name));
}, 60_000);

it('finds a queue with no task or with several', () => {
  const queues = (['pings', 'webhooks', 'deadlines', 'payments', 'sandbox-reads', 'mails'] as const).map((name) => ({
    name,
  }));
  expect(queueErrors(WORKER_TASKS, queues)).toEqual([]);
  const without = WORKER_TASKS.filter(({ queue }) => queue !== 'webhooks');
  expect(queueErrors(without, queues)).toEqual(['the queue "webhooks" is processed by 0 tasks, not by one']);
  expect(queueErrors([...WORKER_TASKS, ...WORKER_TASKS], queues.slice(0, 1))).toEqual([
    'the queue "pings" is processed by 2 tasks, not by one',
  ]);
});

it('finds two tasks with the same name, and a task that is woken by an unknown one', () => {
  expect(tableErrors(WORKER_TASKS)).toEqual([]);
  const [leader, ...others] = WORKER_TASKS;
  expect(tableErrors(others)).toContainEqual('"ping stream" is woken by "feed leader", which is not in the table');
  expect(tableErrors([...WORKER_TASKS, ...(leader ? [leader] : [])])).toEqual(['two tasks are named "feed leader"']);
});

it('continues from the checkpoint of existing installations', () => {
  expect(PING_SUBSCRIPTION.checkpoint).toBe('ping-doorbells');
});
