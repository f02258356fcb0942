import { Command } from 'commander';
import { SystemClock } from '#base/clock';
import { loadSettings, rejectReadOnly, START_NEEDS } from '#base/load-settings';
import { type Settings, usesSandbox } from '#base/settings';
import { closeDataFolder } from '#database/data-folder';
import { rejectPowerfulLogin, rejectStrangeLogin } from '#database/least-privilege';
import { migrate } from '#database/migrate';
import { collectGarbage, keepYoungGenerationSmall } from '#platform/garbage';
import type { SampleClient } from '#desk/sample-sales';
import { saveAddresses } from './addresses.js';
import type { Finding } from './doctor/finding.js';
import { adoptKey, checkKnownKey, sealerOf, withKeyCheck } from './encryption-key.js';
import { readConfiguredCallers } from './configured-callers.js';
import { rejectOldSchema } from './database/schema-state.js';
import { asOwner } from './database/with-database.js';
import { loadSampleData, nameSampleColleagues } from './sample-data.js';
import { changeSettings } from './supervisor/change-settings.js';
import { claimCredentials, keyFileOf } from './supervisor/credentials.js';
import { withDemoPasses } from './supervisor/demo-pass-certificate.js';
import { type DatabaseAddresses, embeddedDatabase } from './supervisor/embedded-database.js';
import { loadFirstPostalCodes } from './supervisor/first-postal-codes.js';
import { SupervisedProcess } from './supervisor/supervised-process.js';
import { withFreePorts } from './supervisor/ports.js';
import { programFile } from './supervisor/program-file.js';
import { untilReady } from './supervisor/readiness.js';
import { RequestedRebuilds } from './supervisor/requested-rebuilds.js';
import { spawnService, type Service } from './supervisor/service.js';
import { stopSignal, unlessAborted, untilAborted } from './supervisor/stop-signal.js';
import { untilBuilt } from './supervisor/unfinished-build.js';
import { welcomeText } from './welcome.js';

/** What `npm start` has started. */
type Started = Readonly<{ stop(): Promise<void>; kill(): void }>;

const clock = new SystemClock();

const SERVICES: readonly Service[] = [
  { name: 'api', entry: programFile('api') },
  { name: 'worker', entry: programFile('worker') },
];

export function startCommand(): Command {
  return new Command('start').description('runs everything: database, api and worker').action(() => {
    keepYoungGenerationSmall();
    return start(SERVICES);
  });
}

// Time for the whole stop, in addition to SHUTDOWN_GRACE_MS.
const OVERTIME_MS = 2_000;

/** Returns after a stop, when nothing that it started runs any more. */
export async function start(services: readonly Service[]): Promise<void> {
  const stop = stopSignal();
  // In start order; each level uses those before it.
  const levels: Started[][] = [];
  const given = loadSettings(START_NEEDS);
  rejectReadOnly(given);
  stop.addEventListener('abort', () => {
    const withinMs = given.SHUTDOWN_GRACE_MS + OVERTIME_MS;
    console.log(`Willcall is stopping: requests in hand are finished, for at most ${Math.ceil(withinMs / 1_000)} s.`);
    killAfter(withinMs, levels);
  });
  try {
    await startAll(await withFreePorts(given), services, levels, stop);
    await untilAborted(stop);
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    for (const level of levels.toReversed()) await Promise.allSettled(level.map((process) => process.stop()));
  }
}

/** Kills what still runs after `ms` and ends the supervisor, even while it waits for a silent server. */
function killAfter(ms: number, levels: readonly (readonly Started[])[]): void {
  setTimeout(() => {
    console.error('Willcall: not everything stopped in time; killing the rest');
    for (const process of levels.flat()) process.kill();
    process.exit(1);
  }, ms).unref();
}

async function startAll(given: Settings, services: readonly Service[], levels: Started[][], stop: AbortSignal) {
  const isDemo = given.DATABASE_URL === undefined;
  closeDataFolder(given.DATA_DIR);
  const addresses = givenAddresses(given) ?? (await startDatabase(given, levels, stop));
  const { applicationUrl: databaseUrl, ownerUrl } = addresses;
  stop.throwIfAborted();
  await prepareSchema(given, addresses);
  // Before a key is generated: a database that was sealed with a lost key needs that key.
  await withKeyCheck(databaseUrl, (pool) => checkKnownKey(pool, given));
  const claimed = changeSettings(await claimCredentials(given, isDemo), { DATABASE_URL: databaseUrl });
  await withKeyCheck(databaseUrl, (pool) => adoptKey(pool, sealerOf(claimed)));
  const passes = isDemo ? withDemoPasses(claimed) : claimed;
  // It takes seconds, on a busy machine longer than a stop may take.
  const sample = claimed.SAMPLE_DATA && loadSampleData(databaseUrl, clock, sampleClientOf(claimed));
  const [settings] = await unlessAborted(stop, Promise.all([passes, sample]));

  await untilBuilt(stop);
  stop.throwIfAborted();
  // Runs while the services start.
  const postalCodes = loadFirstPostalCodes(databaseUrl, settings, stop).catch(() => undefined);
  const running = services.map(
    (service) => new SupervisedProcess(service.name, async () => spawnService(service, settings)),
  );
  levels.push(running);
  await Promise.all(running.map((process) => process.start()));
  await untilReady(settings, running, stop).finally(() => postalCodes);
  stop.throwIfAborted();
  if (settings.SAMPLE_DATA) await nameSampleColleagues(databaseUrl);
  saveAddresses(given, settings);
  const [callers, redis] = await Promise.all([readConfiguredCallers(databaseUrl), findRedisProblem(settings)]);
  const keyFile = keyFileOf(given);
  if (ownerUrl !== undefined) {
    const rebuilds = new RequestedRebuilds(settings, ownerUrl);
    levels.push([rebuilds]);
    rebuilds.start();
  }
  collectGarbage();
  console.log(welcomeText({ settings, given, isDemo, callers, clock, platform: process.platform, redis, keyFile }));
}

function givenAddresses(settings: Settings): DatabaseAddresses | undefined {
  const { DATABASE_URL: applicationUrl, MIGRATION_DATABASE_URL: ownerUrl } = settings;
  return applicationUrl === undefined ? undefined : { applicationUrl, ownerUrl };
}

/** The application's login is looked at first, so that a start that will not serve changes nothing. */
async function prepareSchema(settings: Settings, { applicationUrl, ownerUrl }: DatabaseAddresses): Promise<void> {
  if (ownerUrl === undefined) {
    await rejectPowerfulLogin(applicationUrl);
    await rejectOldSchema(applicationUrl);
    return rejectStrangeLogin(applicationUrl);
  }
  // The migration may have to create the login.
  await rejectPowerfulLogin(applicationUrl).catch((error: unknown) => {
    if (!LOGIN_REFUSED.has(String((error as { code?: unknown }).code))) throw error;
  });
  await asOwner(settings, () => migrate(ownerUrl, applicationUrl));
  await rejectPowerfulLogin(applicationUrl);
  await rejectStrangeLogin(applicationUrl);
}

// invalid_authorization_specification, invalid_password
const LOGIN_REFUSED = new Set(['28000', '28P01']);

/** The first client, if its pings go to the sandbox: nobody else may hear of purchases that never happened. */
function sampleClientOf(settings: Settings): SampleClient | undefined {
  const { CHECKOUT_CLIENT_ID: clientId, CHECKOUT_VARIANT: variant } = settings;
  if (clientId === undefined || !usesSandbox(settings)) return undefined;
  return { clientId, variant, sealer: sealerOf(settings), settings };
}

/** Api and worker run without Redis, so only this check reports that it does not answer. */
async function findRedisProblem({ REDIS_URL }: Settings): Promise<Finding | undefined> {
  if (REDIS_URL === undefined) return undefined;
  const { checkRedis } = await import('./doctor/server-checks.js');
  return checkRedis(REDIS_URL);
}

async function startDatabase(settings: Settings, levels: Started[][], stop: AbortSignal): Promise<DatabaseAddresses> {
  const { server, addresses } = embeddedDatabase(settings);
  levels.push([server]);
  // A recovery may take longer than the time for a stop, so it is aborted.
  const abort = () => void server.stop();
  stop.addEventListener('abort', abort);
  await server.start().finally(() => stop.removeEventListener('abort', abort));
  return addresses();
}
