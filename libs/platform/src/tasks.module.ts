import { type DynamicModule, Module } from '@nestjs/common';
import { allTasks, tableErrors, type TasksByRole, tasksOf } from './background-task.js';
import { TaskMetrics } from './tasks/task-metrics.js';
import { BACKGROUND_TASKS, TaskRunner } from './tasks/task-runner.js';

/** The modules that provide the handlers must be imported too. */
@Module({})
export class TasksModule {
  /**
   * Runs the tasks of these roles.
   * @throws Error if the table of the whole program is invalid
   */
  static for<Role extends string>(table: TasksByRole<Role>, roles: readonly Role[]): DynamicModule {
    const errors = tableErrors(allTasks(table));
    if (errors.length > 0) throw new Error(`The table of background tasks: ${errors.join('; ')}.`);
    const providers = [{ provide: BACKGROUND_TASKS, useValue: tasksOf(table, roles) }, TaskMetrics, TaskRunner];
    return { module: TasksModule, providers, exports: [BACKGROUND_TASKS, TaskRunner] };
  }
}
