import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Pool } from 'pg';
import { QueuesModule } from '#delivery-kit/queues.module';
import { ReconciliationModule } from '#money/reconciliation.module';
import { ReconciliationRunner } from '#money/reconciliation-runner';
import { Reconciliations } from '#money/reconciliations';
import { PaymentProviders } from '#payments/payment-providers';
import { FoundationModule } from '#platform/foundation.module';
import { changeSettings } from './supervisor/change-settings.js';
import { withSealer } from './with-sealer.js';

/** The dependencies of `reconcile payments`. */
export type ReconciliationContext = Readonly<{
  pool: Pool;
  reconciliations: Reconciliations;
  runner: ReconciliationRunner;
  providers: PaymentProviders;
}>;

export type UseReconciliations = <T>(work: (context: ReconciliationContext) => Promise<T>) => Promise<T>;

@Module({ imports: [QueuesModule, ReconciliationModule] })
class ReconcilingModule {}

const SILENT = { info: ignore, warn: ignore, error: ignore, debug: ignore };

/** Runs `work` with the providers of the settings, and the database. The worker need not run. */
export const withReconciliations: UseReconciliations = async (work) =>
  withSealer('reconcile', async ({ pool, settings, databaseUrl }) => {
    const own = changeSettings(settings, { DATABASE_URL: databaseUrl });
    const root = { module: ReconcilingModule, imports: [FoundationModule.for(own, SILENT, 'worker')] };
    const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    try {
      return await work({
        pool,
        reconciliations: app.get(Reconciliations),
        runner: app.get(ReconciliationRunner),
        providers: app.get(PaymentProviders),
      });
    } finally {
      await app.close();
    }
  });

function ignore(): void {
  // Errors reach the command by themselves.
}
