import { Module } from '@nestjs/common';
import { MaintenanceRuns } from './maintenance/maintenance-runs.js';
import { Projections } from './maintenance/projections.js';
import { StaffModule } from '#accounts/staff.module';
import { MaintenanceController } from './maintenance/maintenance.controller.js';
import { ProjectionsController } from './maintenance/projections.controller.js';

/** Rebuilds, verifications and projections, for staff. */
@Module({
  imports: [StaffModule],
  controllers: [MaintenanceController, ProjectionsController],
  providers: [MaintenanceRuns, Projections],
})
export class MaintenanceApiModule {}
