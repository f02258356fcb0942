import { type DynamicModule, Module } from '@nestjs/common';
import type { BackgroundTask } from './background-task.js';
import { TaskMetrics } from './tasks/task-metrics.js';
import { BACKGROUND_TASKS, TaskRunner } from './tasks/task-runner.js';

/** The modules that provide the handlers must be imported too. */
@Module({})
export class TasksModule {
  static for(tasks: readonly BackgroundTask[]): DynamicModule {
    const providers = [{ provide: BACKGROUND_TASKS, useValue: tasks }, TaskMetrics, TaskRunner];
    return { module: TasksModule, providers, exports: [BACKGROUND_TASKS, TaskRunner] };
  }
}
