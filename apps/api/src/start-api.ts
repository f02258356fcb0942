import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Clock } from '#base/clock';
import type { Ids } from '#base/ids';
import { CatalogueSearch } from '#discovery/catalogue-search';
import { IndexedSearch } from '#discovery/indexed-search';
import type { Settings } from '#base/settings';
import { LeastPrivilege } from '#database/least-privilege';
import { errorFields, type Logger, NestLogger } from '#platform/logger';
import { IdempotencyKeys } from '#platform/idempotency-keys';
import { Metrics } from '#platform/metrics';
import { RecordedRequests } from '#platform/recorded-requests';
import { FirstOperator } from '#accounts/first-operator';
import { ClientRegistry } from '#accounts/clients';
import { MAX_PER_PAGE } from '#accounts/discovery-key.limits';
import { DiscoveryKeys } from '#accounts/discovery-keys';
import { EncryptionKeyCheck } from '#platform/encryption-key-check';
import { ApiModule } from './api.module.js';
import { serveConsole } from './console/serve-console.js';
import { keepAnswers } from '#web/keep-answers';
import { recordRequests } from './record-requests.js';
import { DocumentPace } from '#web/document-pace';
import { logRequests } from '#web/request-log';
import { measureConnections } from '#web/connection-metrics';
import { listenForOperations } from '#web/operations-port';
import { createServer } from '#web/server';
import { serveDocs } from './operations/docs.js';
import { SurfaceErrors } from './surface-errors.js';

/**
 * Builds the api and listens. `onFatalError` receives an error that ends it later: a wrong key that a late database reveals, or a login that
 * was given too many rights. SIGTERM and SIGINT stop it after the requests in progress.
 */
export async function startApi(
  settings: Settings,
  logger: Logger,
  ids: Ids,
  onFatalError: (error: unknown) => void,
): Promise<{ app: NestFastifyApplication; address: string }> {
  const app = await createApi(settings, logger, ids);
  await app.get(EncryptionKeyCheck).start(onFatalError);
  app.get(LeastPrivilege).onExcess(onFatalError);
  if (!settings.READ_ONLY) {
    await createFirstClient(app, settings, logger);
    await createFirstKey(app, settings);
    await createFirstOperator(app, settings);
  }
  if (settings.PAYMENT_PROVIDER === undefined) {
    logger.info({}, 'PAYMENT_PROVIDER is unset: clients of the payment variant are answered 503');
  }
  await app.listen(settings.PORT, settings.HOST);
  // Not before: the pools would be closed under a start that goes on. Until then a signal ends the process.
  app.enableShutdownHooks();
  await listenForOperations(app, settings, logger);
  if (settings.SURFACES.includes('discovery')) warmSearch(app, logger);
  return { app, address: await app.getUrl() };
}

/** Builds the api without listening, e.g. to write the OpenAPI document. */
export async function createApi(settings: Settings, logger: Logger, ids: Ids): Promise<NestFastifyApplication> {
  const adapter = createServer(settings, ids, logger, new SurfaceErrors(settings));
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.for(settings, logger), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  measureConnections(adapter.connections, app.get(Metrics));
  logRequests(app.getHttpAdapter().getInstance(), settings, logger, app.get(Metrics));
  keepAnswers(app.getHttpAdapter().getInstance(), app.get(IdempotencyKeys), logger);
  recordRequests(app.getHttpAdapter().getInstance(), app.get(RecordedRequests), app.get(Clock));
  const pace = new DocumentPace(app.get(Clock));
  if (settings.SURFACES.includes('console')) {
    serveConsole(app.getHttpAdapter().getInstance(), settings, { logger, pace });
  }
  serveDocs(app, settings, pace);
  return app;
}

/** Creates the platform client of the settings on the first start. An existing client is not changed. */
async function createFirstClient(app: NestFastifyApplication, settings: Settings, logger: Logger): Promise<void> {
  const { CHECKOUT_CLIENT_ID: clientId, CHECKOUT_CLIENT_SECRET: secret, CHECKOUT_VARIANT: variant } = settings;
  if (!clientId || !secret) return;
  const clients = app.get(ClientRegistry);
  const created = await clients.create({ clientId, secret, variant, name: 'first client' });
  if (!('error' in created)) return;
  if (created.error !== 'CLIENT_EXISTS') throw new Error(`CHECKOUT_CLIENT_ID: ${created.message}`);
  const known = await clients.find(clientId);
  const same = known?.variant === variant && known.secrets.some((kept) => kept.equals(Buffer.from(secret)));
  if (!same) logger.warn({ client_id: clientId }, 'the client is kept as it is: change it by `willcall clients`');
}

/** Does the same for the discovery key of the settings. A revoked key stays revoked. */
async function createFirstKey(app: NestFastifyApplication, { DISCOVERY_CLIENT_ID: clientId }: Settings): Promise<void> {
  if (!clientId) return;
  const created = await app.get(DiscoveryKeys).create({ clientId, name: 'first key', maxPerPage: MAX_PER_PAGE });
  if ('error' in created && created.error !== 'KEY_EXISTS') {
    throw new Error(`DISCOVERY_CLIENT_ID: ${created.message}`);
  }
}

async function createFirstOperator(app: NestFastifyApplication, settings: Settings): Promise<void> {
  const { OPERATOR_EMAIL: email, OPERATOR_PASSWORD: password } = settings;
  if (email && password) await app.get(FirstOperator).create(email, password);
}

/** Otherwise the first search would wait until the whole catalogue is loaded. */
function warmSearch(app: NestFastifyApplication, logger: Logger): void {
  const catalogue = app.get(CatalogueSearch);
  if (!(catalogue instanceof IndexedSearch)) return;
  catalogue.warm().catch((error: unknown) => logger.warn(errorFields(error), 'the catalogue could not be read yet'));
}
