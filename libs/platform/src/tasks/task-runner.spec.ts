import { Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { SystemClock } from '#base/clock';
import { Liveness } from '../liveness.js';
import { Metrics } from '../metrics.js';
import type { BackgroundTask, TaskContext } from '../background-task.js';
import { TaskMetrics } from './task-metrics.js';
import { TaskRunner } from './task-runner.js';

const GRACE_MS = 20;
const POOL_CLOSED = new Error('Cannot use a pool after calling end on the pool');

describe('the runner of background tasks', () => {
  const warned = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
  afterEach(() => void warned.mockClear());
  const lines = () => warned.mock.calls.map(([line]) => String(line));

  /** A task whose current run ends when the pools are closed. */
  function runnerOf(stop: () => Promise<void>): { runner: TaskRunner; context: () => TaskContext | undefined } {
    let context: TaskContext | undefined;
    const text = { does: 'nothing', seen: 'nowhere', schedule: 'never', concurrency: 'one' };
    const task: BackgroundTask = {
      ...text,
      name: 'sweep',
      open(given) {
        context = given;
        return { start: () => undefined, stop };
      },
    };
    const clock = new SystemClock();
    const runner = new TaskRunner(
      [task],
      Object.create(ModuleRef.prototype) as ModuleRef,
      parseSettings({ SHUTDOWN_GRACE_MS: `${GRACE_MS}` }),
      new Liveness(clock, async () => true),
      new TaskMetrics(new Metrics(), clock),
    );
    runner.onApplicationBootstrap();
    return { runner, context: () => context };
  }

  it('says once that a task did not stop in time, and not what that leads to', async () => {
    const { runner, context } = runnerOf(() => new Promise(() => undefined));
    await runner.beforeApplicationShutdown();
    context()?.onError(POOL_CLOSED);
    expect(lines()).toEqual([expect.stringContaining(`stopping task sweep: no answer within ${GRACE_MS} ms`)]);
  });

  it('logs the errors of a task that stops', async () => {
    const { runner, context } = runnerOf(async () => context()?.onError(new Error('the last one')));
    await runner.beforeApplicationShutdown();
    expect(lines()).toEqual([expect.stringContaining('the last one')]);
  });
});
