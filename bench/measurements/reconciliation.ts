import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { parseSettings } from '#base/load-settings';
import { QueuesModule } from '#delivery-kit/queues.module';
import { ReconciliationModule } from '#money/reconciliation.module';
import { ReconciliationRunner } from '#money/reconciliation-runner';
import { Reconciliations } from '#money/reconciliations';
import { PaymentProviders } from '#payments/payment-providers';
import { FoundationModule } from '#platform/foundation.module';
import type { Measurement } from '../measurement.js';
import { CAPTURED, captureLines, fillCaptures } from '../setup/captured-payments.js';
import { createDatabase } from '../setup/database.js';
import { forgetPeak, memoryIsKnown, peakMb, residentMb } from '../setup/memory.js';

const LINES = 200_000;
const WRONG_EVERY = 10_000;

@Module({ imports: [QueuesModule, ReconciliationModule] })
class ReconcilingModule {}

const SILENT = { info: ignore, warn: ignore, error: ignore, debug: ignore };

/** Compares the list of a provider with as many captured payments. */
export const reconciliation: Measurement = {
  name: 'reconciliation',
  about: "a provider's list of 200,000 lines (`--lines`) against the ledger",
  async run({ quick, lines = quick ? 10_000 : LINES, say }) {
    const database = await createDatabase();
    const settings = parseSettings({
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PAYMENT_PROVIDER: 'sandbox',
      SANDBOX: 'true',
    });
    const root = { module: ReconcilingModule, imports: [FoundationModule.for(settings, SILENT, 'worker')] };
    const app = await NestFactory.createApplicationContext(root, { logger: false });
    try {
      await fillCaptures(database.owner, lines);
      say(`${lines} payments were captured`);
      app.get(PaymentProviders).named('sandbox').balanceLines = captureLines(lines, WRONG_EVERY);
      const reconciliations = app.get(Reconciliations);
      const { id } = await reconciliations.beginList('sandbox', { ...CAPTURED, requestedBy: 'bench' });
      const before = memoryIsKnown ? residentMb(process.pid) : 0;
      if (memoryIsKnown) forgetPeak(process.pid);
      const beganAt = performance.now();
      await app.get(ReconciliationRunner).step(new AbortController().signal, id);
      const seconds = (performance.now() - beganAt) / 1_000;
      const peak = memoryIsKnown ? peakMb(process.pid) : 0;
      const found = await reconciliations.find(id);
      const wrong = Math.ceil(lines / WRONG_EVERY);
      if (found?.state !== 'done' || found.matched !== lines - wrong || found.differing !== wrong) {
        throw new Error(`Not what is there: ${JSON.stringify({ ...found, differences: undefined })}`);
      }
      say(`the list was read in ${(Date.parse(found.as_of ?? '') - Date.parse(found.created_at)) / 1_000} s`);
      say(`${Math.round(lines / seconds)} lines a second, ${Math.round(peak)} MB at most`);
      const detail = `${lines} lines in ${seconds.toFixed(1)} s, ${wrong} differ; ${Math.round(peak)} MB at most, ${Math.round(before)} before`;
      return [
        { name: 'Lines of a provider compared', value: lines / seconds, unit: 'a second', detail },
        { name: 'More memory of the comparison', value: peak - before, unit: 'MB', detail },
      ];
    } finally {
      await app.close();
      await database.remove();
    }
  },
};

function ignore(): void {
  // The bench says what it measures.
}
