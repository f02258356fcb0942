import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { queueErrors } from '#delivery-kit/queue-task';
import { createLogger, NestLogger } from '#platform/logger';
import { allTasks, tableErrors, tasksOf } from '#platform/background-task';
import { TaskRunner } from '#platform/tasks/task-runner';
import { PING_SUBSCRIPTION } from '#outbound/ping-delivery.tasks';
import { WORKER_TASKS } from './background-tasks.js';
import { WorkerModule } from './worker.module.js';

const ALL = allTasks(WORKER_TASKS);

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
  expect(await runningTasks()).toEqual(ALL.map(({ name }) => name));
}, 60_000);

it('omits the tasks of the sandbox platform if there is a platform', async () => {
  const names = await runningTasks({ PLATFORM_URL: 'https://platform.example' });
  const others = ALL.filter(({ onlyIf }) => onlyIf === undefined);
  expect(names).toEqual(others.map(({ name }) => name));
}, 60_000);

it('runs the groups of TASKS and what every worker runs, and no other task', async () => {
  const names = await runningTasks({ TASKS: 'pings,orders' });
  expect(names).toEqual(tasksOf(WORKER_TASKS, ['pings', 'orders']).map(({ name }) => name));
  expect(names).toEqual(expect.arrayContaining(['status catalogue', 'ping schedule', 'pings', 'ping sweep']));
  expect(names).not.toContain('feed leader');
}, 60_000);

it('finds a queue with no task or with several', () => {
  const queues = (['pings', 'webhooks', 'deadlines', 'payments', 'sandbox-reads', 'mails'] as const).map((name) => ({
    name,
  }));
  expect(queueErrors(ALL, queues)).toEqual([]);
  const without = ALL.filter(({ queue }) => queue !== 'webhooks');
  expect(queueErrors(without, queues)).toEqual(['the queue "webhooks" is processed by 0 tasks, not by one']);
  expect(queueErrors([...ALL, ...ALL], queues.slice(0, 1))).toEqual([
    'the queue "pings" is processed by 2 tasks, not by one',
  ]);
});

it('finds two tasks with the same name, and a task that is woken by an unknown one', () => {
  expect(tableErrors(ALL)).toEqual([]);
  const others = ALL.filter(({ name }) => name !== 'feed leader');
  expect(tableErrors(others)).toContainEqual('"ping stream" is woken by "feed leader", which is not in the table');
  expect(tableErrors([...ALL, ...ALL.slice(0, 1)])).toEqual(['two tasks are named "status catalogue"']);
});

it('continues from the checkpoint of existing installations', () => {
  expect(PING_SUBSCRIPTION.checkpoint).toBe('ping-doorbells');
});
