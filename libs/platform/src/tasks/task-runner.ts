import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Settings } from '#base/settings';
import { withTimeout } from '#base/with-timeout';
import { errorLog } from '../error-log.js';
import { Liveness } from '../liveness.js';
import type { BackgroundTask, OpenTask } from '../background-task.js';
import { TaskMetrics } from './task-metrics.js';

export const BACKGROUND_TASKS = Symbol('BACKGROUND_TASKS');

const RUN_WITHIN_MS = 60_000;

@Injectable()
export class TaskRunner implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly open = new Map<string, OpenTask>();
  /** They did not stop in time. Their next statement finds the pool closed, which says nothing new. */
  private readonly abandoned = new Set<string>();

  constructor(
    @Inject(BACKGROUND_TASKS) private readonly table: readonly BackgroundTask[],
    private readonly modules: ModuleRef,
    private readonly settings: Settings,
    private readonly liveness: Liveness,
    private readonly metrics: TaskMetrics,
  ) {}

  get names(): readonly string[] {
    return [...this.open.keys()];
  }

  /** Fails if a handler is missing, before any task starts. */
  onApplicationBootstrap(): void {
    const tasks = this.table.filter(({ onlyIf }) => onlyIf?.holds(this.settings) ?? true);
    for (const task of tasks) this.open.set(task.name, this.opened(task));
    for (const task of this.open.values()) task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    const { SHUTDOWN_GRACE_MS: graceMs } = this.settings;
    await Promise.all(
      Array.from(this.open, ([name, task]) =>
        withTimeout(task.stop(graceMs), graceMs, `stopping task ${name}`).catch((error: unknown) => {
          errorLog(name)(error);
          this.abandoned.add(name);
        }),
      ),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Array.from(this.open.values(), async (task) => task.finish?.()));
  }

  private opened(task: BackgroundTask): OpenTask {
    const { name, livenessPause } = task;
    this.metrics.show(name);
    const report = errorLog(name);
    const opened = task.open({
      get: (type) => this.modules.get(type, { strict: false }),
      settings: this.settings,
      onError: (error, job) => {
        if (!this.abandoned.has(name)) report(error, job);
      },
      timed: (run) => this.metrics.timed(name, run),
      ran: (outcome) => this.metrics.ran(name, outcome),
      wakeFollowers: () => this.wakeFollowersOf(name),
    });
    if (livenessPause) {
      const withinMs = RUN_WITHIN_MS + livenessPause(this.settings);
      this.liveness.watch({ name, progress: () => opened.iterations ?? 0, withinMs });
    }
    return opened;
  }

  private wakeFollowersOf(name: string): void {
    for (const { name: follower, wokenBy } of this.table) {
      if (wokenBy === name) this.open.get(follower)?.wake?.();
    }
  }
}
