import { Module } from '@nestjs/common';
import { ClientsModule } from '#accounts/clients.module';
import { StaffModule } from '#accounts/staff.module';
import { ReconciliationsController } from './reconciliation/reconciliations.controller.js';
import { ReconciliationModule } from './reconciliation.module.js';

/** Comparisons of our books with those of others, for staff. */
@Module({ imports: [StaffModule, ClientsModule, ReconciliationModule], controllers: [ReconciliationsController] })
export class ReconciliationsApiModule {}
