import { Command } from 'commander';
import type { Pool } from 'pg';
import { loadSettings } from '#base/load-settings';
import { usesSandbox } from '#base/settings';
import { SystemClock } from '#base/clock';
import { SandboxPaymentProvider } from '#payments/sandbox-payment-provider';
import { ReceivedPings } from '#sandbox/received-pings';
import { type KnownRecord, type Missing, missingHere, type Party } from '#upkeep/reconciliation';
import { stringifyJson } from '#base/json';
import { readRecords } from './known-records.js';
import { reconcilePaymentsCommand } from './reconcile-payments.js';
import { count } from './terminal/progress-line.js';
import { UsageError } from './terminal/user-error.js';
import { poolFor, type UsePool } from './database/with-pool.js';

type Options = Readonly<Partial<Record<Party, string>> & { json?: boolean }>;
type Source = Readonly<{ party: Party; records: (pool: Pool) => AsyncIterable<KnownRecord> }>;

/** `reconcile`: lists what the other parties know and we do not. Exit code 1 if there is any. */
export function reconcileCommand(use: UsePool = poolFor('reconcile'), sandbox = isSandbox): Command {
  return new Command('reconcile')
    .description('lists orders and changes that platform, payment provider and webhook receivers know and we do not')
    .option('--platform <file>', 'records of the platform: order_id, and status_code or sequence if known')
    .option('--provider <file>', 'the charges of the payment provider: order_id, reference')
    .option('--webhooks <file>', 'what a receiver got: order_id, sequence, status_code, or whole bodies')
    .option('--json', 'print JSON')
    .enablePositionalOptions()
    .addCommand(reconcilePaymentsCommand())
    .action(async (options: Options) => {
      const sources = sourcesOf(options, sandbox());
      if (sources.length === 0) throw new UsageError('Name a file: --platform, --provider or --webhooks.');
      const found: Missing[] = [];
      await use(async (pool) => {
        for (const { party, records } of sources) {
          for await (const missing of missingHere(pool, party, records(pool))) found.push(missing);
        }
      });
      const parties = sources.map(({ party }) => party);
      console.log(options.json ? stringifyJson({ compared: parties, missing: found }, 2) : asText(parties, found));
      if (found.length > 0) process.exitCode = 1;
    });
}

/** The given files. The sandbox needs none, because we can query it. */
function sourcesOf(options: Options, sandbox: Readonly<Record<'platform' | 'provider', boolean>>): Source[] {
  const sources: Source[] = [];
  for (const party of ['platform', 'provider', 'webhooks'] as const) {
    const file = options[party];
    if (file !== undefined) sources.push({ party, records: () => readRecords(file) });
    else if (party !== 'webhooks' && sandbox[party]) sources.push({ party, records: SANDBOX_RECORDS[party] });
  }
  return sources;
}

/** The parties that we can query. */
const SANDBOX_RECORDS = {
  async *platform(pool: Pool): AsyncGenerator<KnownRecord> {
    for (const order_id of await new ReceivedPings(pool, new SystemClock()).orderIds()) yield { order_id };
  },
  async *provider(pool: Pool): AsyncGenerator<KnownRecord> {
    const charges = new SandboxPaymentProvider(pool, new SystemClock()).charges();
    for await (const { orderId, reference } of charges) yield { order_id: orderId, reference };
  },
};

function isSandbox(): Record<'platform' | 'provider', boolean> {
  return { platform: usesSandbox(loadSettings()), provider: true };
}

function asText(parties: readonly Party[], found: readonly Missing[]): string {
  const lines = found.map(({ party, kind, order_id, sequence, status_code, reference }) => {
    const details = [sequence !== undefined && `change ${sequence}`, status_code, reference].filter(Boolean).join(', ');
    return `${order_id}  ${kind.replace('_', ' ')}, known to ${party}${details && `: ${details}`}`;
  });
  const compared = `Compared with ${parties.join(', ')}.`;
  const sum =
    found.length === 0 ? 'They know nothing that is missing here.' : `${count(found.length)} are missing here.`;
  return [compared, ...lines, sum].join('\n');
}
