import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { SystemClock } from '#runtime/clock';
import { loadSettings, type Settings } from '#config/settings';
import { migrate } from '#database/migrate';
import { keepAddresses } from './addresses.js';
import type { Finding } from './doctor/finding.js';
import { adoptKey, checkKnownKey, sealerOf, withKeyCheck } from './encryption-key.js';
import { knownCallers } from './known-callers.js';
import { loadSampleData } from './sample-data.js';
import { changeSettings } from './supervisor/change-settings.js';
import { claimCredentials, keyFileOf } from './supervisor/credentials.js';
import { embeddedDatabase } from './supervisor/embedded-database.js';
import { loadFirstPostalCodes } from './supervisor/first-postal-codes.js';
import { SupervisedProcess } from './supervisor/supervised-process.js';
import { withFreePorts } from './supervisor/ports.js';
import { untilReady } from './supervisor/readiness.js';
import { spawnService, type Service } from './supervisor/service.js';
import { stopSignal, untilAborted } from './supervisor/stop-asked.js';
import { welcomeText } from './welcome.js';

const clock = new SystemClock();

const entryOf = (app: string) => fileURLToPath(new URL(`../../${app}/src/main.js`, import.meta.url));
const SERVICES: readonly Service[] = [
  { name: 'api', entry: entryOf('api') },
  { name: 'worker', entry: entryOf('worker') },
];

export function startCommand(): Command {
  return new Command('start').description('runs everything: database, api and worker').action(() => start(SERVICES));
}

// From the signal on, beyond SHUTDOWN_GRACE_MS, for everything together.
const OVERTIME_MS = 2_000;

/** Returns when it has been told to stop and nothing that it started runs any more. */
export async function start(services: readonly Service[]): Promise<void> {
  const stop = stopSignal();
  // In the order of their start; each level uses those before it.
  const levels: SupervisedProcess[][] = [];
  const given = loadSettings();
  stop.addEventListener('abort', () => endWithin(given.SHUTDOWN_GRACE_MS + OVERTIME_MS, levels));
  try {
    await bringUp(await withFreePorts(given), services, levels, stop);
    await untilAborted(stop);
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    for (const level of levels.toReversed()) await Promise.allSettled(level.map((kept) => kept.stop()));
  }
}

/** What hangs is killed then, and the supervisor ends: also one that waits for a server that is silent. */
function endWithin(ms: number, levels: readonly (readonly SupervisedProcess[])[]): void {
  setTimeout(() => {
    console.error('Willcall: not everything has stopped in time; the rest is killed');
    for (const kept of levels.flat()) kept.kill();
    process.exit(1);
  }, ms).unref();
}

async function bringUp(
  given: Settings,
  services: readonly Service[],
  levels: SupervisedProcess[][],
  stop: AbortSignal,
) {
  const isDemo = given.DATABASE_URL === undefined;
  const databaseUrl = given.DATABASE_URL ?? (await startEmbedded(given, levels, stop));
  stop.throwIfAborted();
  await migrate(databaseUrl);
  // Before a key is made: a database that was sealed with a lost one needs that one back.
  await withKeyCheck(databaseUrl, (pool) => checkKnownKey(pool, given));
  const settings = changeSettings(await claimCredentials(given, isDemo), { DATABASE_URL: databaseUrl });
  await withKeyCheck(databaseUrl, (pool) => adoptKey(pool, sealerOf(settings)));
  if (settings.SAMPLE_DATA) await loadSampleData(databaseUrl, clock);

  stop.throwIfAborted();
  // While the services start.
  const postalCodes = loadFirstPostalCodes(databaseUrl, settings, stop).catch(() => undefined);
  const running = services.map(
    (service) => new SupervisedProcess(service.name, async () => spawnService(service, settings)),
  );
  levels.push(running);
  await Promise.all(running.map((kept) => kept.start()));
  await untilReady(settings, running, stop).finally(() => postalCodes);
  stop.throwIfAborted();
  keepAddresses(settings);
  const [callers, redis] = await Promise.all([knownCallers(databaseUrl), lookAtRedis(settings)]);
  const keyFile = keyFileOf(given);
  console.log(welcomeText({ settings, isDemo, callers, clock, platform: process.platform, redis, keyFile }));
}

/** A Redis that does not answer stops neither api nor worker, so nobody else would say so in a sentence. */
async function lookAtRedis({ REDIS_URL }: Settings): Promise<Finding | undefined> {
  if (REDIS_URL === undefined) return undefined;
  const { checkRedis } = await import('./doctor/server-checks.js');
  return checkRedis(REDIS_URL);
}

async function startEmbedded(settings: Settings, levels: SupervisedProcess[][], stop: AbortSignal): Promise<string> {
  const { kept, url } = embeddedDatabase(settings);
  levels.push([kept]);
  // Its recovery may take longer than a stop: it is given up.
  const giveUp = () => void kept.stop();
  stop.addEventListener('abort', giveUp);
  await kept.start().finally(() => stop.removeEventListener('abort', giveUp));
  return url();
}
