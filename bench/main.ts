import { Command } from 'commander';
import type { Figure, Measurement } from './measurement.js';
import { catalogueImport } from './measurements/catalogue-import.js';
import { consolePage } from './measurements/console.js';
import { cycle } from './measurements/cycle.js';
import { discovery } from './measurements/discovery.js';
import { feedLag } from './measurements/feed-lag.js';
import { find } from './measurements/find.js';
import { flood } from './measurements/flood.js';
import { footprint } from './measurements/footprint.js';
import { growth } from './measurements/growth.js';
import { hotListing } from './measurements/hot-listing.js';
import { jobs } from './measurements/jobs.js';
import { lockedListing } from './measurements/locked-listing.js';
import { pingLatency } from './measurements/ping-latency.js';
import { pings } from './measurements/pings.js';
import { purchases } from './measurements/purchases.js';
import { reads } from './measurements/reads.js';
import { reconciliation } from './measurements/reconciliation.js';
import { rebuilds } from './measurements/rebuild.js';
import { recommendations } from './measurements/recommendations.js';
import { signIn } from './measurements/sign-in.js';
import { size } from './measurements/size.js';
import { stream } from './measurements/stream.js';
import { transfers } from './measurements/transfers.js';
import { webhookLatency } from './measurements/webhook-latency.js';
import { webhooks } from './measurements/webhooks.js';
import { workers } from './measurements/workers.js';
import { printFigures, writeFigures } from './report.js';

const MEASUREMENTS: readonly Measurement[] = [
  purchases,
  cycle,
  lockedListing,
  hotListing,
  flood,
  reads,
  rebuilds,
  transfers,
  reconciliation,
  jobs,
  find,
  consolePage,
  signIn,
  catalogueImport,
  discovery,
  recommendations,
  pings,
  pingLatency,
  workers,
  webhooks,
  webhookLatency,
  feedLag,
  stream,
  footprint,
  size,
  growth,
];

const names = MEASUREMENTS.map(({ name, about }) => `  ${name.padEnd(16)}${about}`).join('\n');

// Servers are stopped on 'exit', which a signal alone does not emit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await new Command('npm run bench --')
  .argument('[names...]', 'measurements to run (default: all)')
  .option('--quick', 'few and short rounds, to see that the bench works')
  .option('--lines <number>', 'lines that `reconciliation` compares', Number)
  .option('--json <file>', 'file for the figures (default: bench/results/<date>.json)')
  .addHelpText('after', `\nMeasurements:\n${names}`)
  .action(run)
  .parseAsync();

type Given = { quick?: boolean; lines?: number; json?: string };

async function run(wanted: string[], { quick = false, lines, json }: Given): Promise<void> {
  const unknown = wanted.filter((name) => !MEASUREMENTS.some((measurement) => measurement.name === name));
  if (unknown.length > 0) throw new Error(`Unknown measurement: ${unknown.join(', ')}. These exist:\n${names}`);
  const figures: Figure[] = [];
  for (const { name, run: measure } of MEASUREMENTS) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const say = (line: string) => console.error(`${name}: ${line}`);
    figures.push(...(await measure({ quick, say, ...(lines !== undefined && { lines }) })));
  }
  printFigures(figures);
  console.log(`\nWritten to ${writeFigures(figures, { file: json, quick })}`);
}
