import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { StaffModule } from '#accounts/staff.module';
import { type Settings, usesSandbox } from '#base/settings';
import { QueuesModule } from '#delivery-kit/queues.module';
import { FoundationModule } from '#platform/foundation.module';
import { HealthController } from '#platform/health.controller';
import type { Logger } from '#platform/logger';
import { MetricsController } from '#platform/metrics.controller';
import { TasksModule } from '#platform/tasks.module';
import { ErrorFilter } from '#web/error.filter';
import { JsonBodyPipe } from '#web/json-body.pipe';
import { RecordedRequestsModule } from '#web/recorded-requests.module';
import { ErrorWriter } from '#web/written-error';
import { API_TASKS, READING_TASKS } from './api-tasks.js';
import { SurfaceErrors } from './surface-errors.js';
import { SANDBOX_MODULES, SURFACE_MODULES } from './surface-modules.js';

/** What every api has. `for` adds the surfaces: checkout for the platform, discovery for the public, back office and console for staff, the stream for integrations. */
@Module({
  imports: [QueuesModule, StaffModule, RecordedRequestsModule],
  controllers: [HealthController, MetricsController],
  providers: [
    { provide: ErrorWriter, useClass: SurfaceErrors },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: JsonBodyPipe },
  ],
})
export class ApiModule {
  static for(settings: Settings, logger: Logger): DynamicModule {
    const { SURFACES, READ_ONLY } = settings;
    const sandbox = usesSandbox(settings) ? SURFACES.flatMap((surface) => SANDBOX_MODULES[surface] ?? []) : [];
    const imports = [
      FoundationModule.for(settings, logger, 'api'),
      ...SURFACES.flatMap((surface) => SURFACE_MODULES[surface]),
      ...sandbox,
      TasksModule.for(READ_ONLY ? READING_TASKS : API_TASKS, SURFACES),
    ];
    return { module: ApiModule, imports };
  }
}
