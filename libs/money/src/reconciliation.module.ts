import { Module } from '@nestjs/common';
import { ProviderEventsModule } from './provider-events.module.js';
import { DailyReconciliation } from './reconciliation/daily-reconciliation.js';
import { DifferenceTasks } from './reconciliation/difference-tasks.js';
import { ProviderReading } from './reconciliation/provider-reading.js';
import { ProviderReconciliation } from './reconciliation/provider-reconciliation.js';
import { ReconciliationLeases } from './reconciliation/reconciliation-leases.js';
import { RemittanceReconciliation } from './reconciliation/remittance-reconciliation.js';
import { ReconciliationRunner } from './reconciliation-runner.js';
import { Reconciliations } from './reconciliations.js';

/** Comparisons of our books with those of payment providers and wholesale clients, and the tasks of what differs. */
@Module({
  imports: [ProviderEventsModule],
  providers: [
    Reconciliations,
    ReconciliationLeases,
    ProviderReading,
    ProviderReconciliation,
    RemittanceReconciliation,
    DifferenceTasks,
    ReconciliationRunner,
    DailyReconciliation,
  ],
  exports: [ProviderEventsModule, Reconciliations, ReconciliationRunner, DailyReconciliation],
})
export class ReconciliationModule {}
