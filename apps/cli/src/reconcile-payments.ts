import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { stringifyJson } from '#base/json';
import { NewReconciliation, type Reconciliation, RemittanceQuery } from '#money/reconciliation.contract';
import { RemittanceFault } from '#money/remittance-file';
import { commandActor, recordChange } from './audit.js';
import { EXIT } from './terminal/exit-codes.js';
import { untilInterrupted } from './terminal/interruption.js';
import { count } from './terminal/progress-line.js';
import { table } from './terminal/text-table.js';
import { explain, UsageError, UserError } from './terminal/user-error.js';
import { type ReconciliationContext, type UseReconciliations } from './with-reconciliations.js';

type Options = Readonly<Partial<Record<'provider' | 'client' | 'from' | 'to' | 'file', string>> & { json?: boolean }>;

/** Nothing is known of what differs. */
class NotCompared extends UserError {
  override readonly exitCode = EXIT.usage;
}

/** `reconcile payments`: exit code 0 if the books agree, 1 if they differ, 2 if they could not be compared. */
export function reconcilePaymentsCommand(use: UseReconciliations = lazily): Command {
  return new Command('payments')
    .description("compares the books with a payment provider's list, or with what a wholesale client paid")
    .option('--provider <name>', 'a provider that is configured: its list of money that moved')
    .option('--client <id>', 'a wholesale client')
    .option('--from <time>', 'begin of the period (inclusive), a day or a time; with --client optional')
    .option('--to <time>', 'its end (exclusive); with --client a day includes that whole day')
    .option('--file <csv>', 'what the client paid: ref_id or order_id, amount, paid_on. Without it: nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit codes: 0 the books agree, 1 they differ, 2 they could not be compared.')
    .action(async (options: Options) => {
      const found = await untilInterrupted((stop) => use((context) => compared(context, options, stop))).catch(
        (error: unknown) => {
          throw notCompared(error);
        },
      );
      console.log(options.json ? stringifyJson(found, 2) : asText(found));
      if (found.differing > 0) process.exitCode = EXIT.problem;
    });
}

// Loaded when it is needed, because it imports the whole core of orders.
const lazily: UseReconciliations = async (work) =>
  (await import('./with-reconciliations.js')).withReconciliations(work);

function notCompared(error: unknown): Error {
  if (error instanceof UsageError) return error;
  if (error instanceof RemittanceFault) return new UsageError(error.message);
  const said = explain(error);
  return new NotCompared(said instanceof Error ? (said.stack ?? said.message) : String(said));
}

async function compared(context: ReconciliationContext, options: Options, stop: AbortSignal): Promise<Reconciliation> {
  const { reconciliations, runner, pool } = context;
  const { id } = await begun(context, options);
  await recordChange(pool, 'reconciliation.started', `reconciliation:${id}`);
  for (;;) {
    // A worker that runs may have taken it already.
    await runner.step(stop, id);
    const found = await reconciliations.find(id);
    if (found?.state === 'done') return found;
    if (found?.state === 'failed') throw new NotCompared(found.error ?? 'The comparison failed.');
    if (stop.aborted) throw new NotCompared('Interrupted. A running worker finishes the comparison.');
    await sleep(POLL_MS);
  }
}

const POLL_MS = 500;

async function begun(context: ReconciliationContext, options: Options): Promise<Readonly<{ id: string }>> {
  const { provider, client, file } = options;
  if ((provider === undefined) === (client === undefined)) throw new UsageError('Name one: --provider or --client.');
  if (client !== undefined) return await begunRemittance(context, client, options);
  if (file !== undefined) throw new UsageError('--file is for --client: a provider is asked for its list.');
  const { data, error } = NewReconciliation.safeParse({ provider, from: options.from, to: options.to });
  if (error) throw new UsageError(`--${issueOf(error)}`);
  if (!context.providers.find(data.provider)) throw new UsageError(`${data.provider} is not configured.`);
  const { from, to } = data;
  return await context.reconciliations.beginList(data.provider, { from, to, requestedBy: commandActor() });
}

async function begunRemittance(
  { pool, reconciliations }: ReconciliationContext,
  client: string,
  { from, to, file }: Options,
): Promise<Readonly<{ id: string }>> {
  const { data, error } = RemittanceQuery.safeParse({ client_id: client, from, to });
  if (error) throw new UsageError(`--${issueOf(error)}`);
  if (file === undefined && data.from === undefined) throw new UsageError('Name a --file, or a period.');
  const known = await pool.query('select from clients where client_id = $1', [client]);
  if (known.rowCount === 0) throw new UsageError(`There is no client ${client}.`);
  const asked = { from: data.from, to: data.to, requestedBy: commandActor() };
  return await reconciliations.beginRemittance(client, contentOf(file), asked);
}

async function* contentOf(path: string | undefined): AsyncGenerator<Uint8Array> {
  if (path === undefined) return yield Buffer.from('ref_id,amount,paid_on\n');
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new UsageError(`There is no file ${path}.`) : error;
  });
  yield* file.createReadStream() as AsyncIterable<Buffer>;
}

const issueOf = ({ issues: [issue] }: Readonly<{ issues: readonly { path: PropertyKey[]; message: string }[] }>) =>
  `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`;

function asText({ provider, client_id: client, matched, differing, differences, as_of: asOf }: Reconciliation): string {
  const head = `Compared with ${provider ?? client ?? ''}, as of ${asOf ?? ''}: ${count(matched)} agree, ${count(differing)} differ.`;
  if (differing === 0) return head;
  const side = (value: number | string | null) => (typeof value === 'number' ? value.toFixed(2) : (value ?? ''));
  const rows = differences.map(({ kind, order_id: order, reference, ours, theirs }) => {
    return [kind, order ?? '', reference ?? '', side(ours), side(theirs)];
  });
  const more = differing - differences.length;
  const rest = more > 0 ? [`and ${count(more)} more: each has a task`] : [];
  return [head, table(['kind', 'order', 'reference', 'ours', 'theirs'], rows), ...rest].join('\n');
}
