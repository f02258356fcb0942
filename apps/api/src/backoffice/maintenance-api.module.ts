import { Module } from '@nestjs/common';
import { MaintenanceRuns } from '#maintenance/maintenance-runs';
import { Projections } from '#maintenance/projections';
import { StaffModule } from '../people/staff.module.js';
import { MaintenanceController } from './maintenance.controller.js';
import { ProjectionsController } from './projections.controller.js';

/** Rebuilds, verifications and projections, for staff. */
@Module({
  imports: [StaffModule],
  controllers: [MaintenanceController, ProjectionsController],
  providers: [MaintenanceRuns, Projections],
})
export class MaintenanceApiModule {}
