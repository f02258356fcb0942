// Apis and workers of this clone, as built in `dist`.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { addressesOf } from './plan.mjs';
import { launch, makeFolder, processesIn, until } from './processes.mjs';

const dist = resolve(import.meta.dirname, '../../dist/programs');

/** Starts those that do not run, and waits until they are ready. They run as whoever runs this. */
export async function startPrograms(folder, plan) {
  const all = [
    ...plan.apis.map((one) => ({ ...one, program: 'api', ports: { PORT: one.port, OPERATIONS_PORT: one.port } })),
    ...plan.workers.map((one) => ({ ...one, program: 'worker', ports: { WORKER_PORT: one.port } })),
  ];
  if (all.length === 0) return;
  const env = environmentOf(folder, plan);
  execFileSync(process.execPath, [join(dist, 'willcall.js'), 'migrate'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const { name, program, ports } of all) {
    const path = join(folder, name);
    makeFolder(path, {});
    if (processesIn(path).length > 0) continue;
    // They must not see the login that migrates.
    const { MIGRATION_DATABASE_URL: _, ...seen } = env;
    launch(path, process.execPath, [join(dist, `${program}.js`)], { env: { ...seen, ...ports } });
  }
  const isReady = async ({ port }) => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  for (const one of all) await until(`${one.name} is ready`, () => isReady(one));
}

function environmentOf(folder, plan) {
  return {
    PATH: process.env.PATH,
    ...addressesOf(plan),
    ENCRYPTION_KEY: plan.encryptionKey,
    BACKOFFICE_TOKEN: plan.token,
    FILES_DIR: join(folder, 'files'),
    REQUIRE_HTTPS: 'false',
    SANDBOX: 'true',
    PAYMENT_PROVIDER: 'sandbox',
    PUBLIC_URL: `http://127.0.0.1:${plan.apis[0]?.port ?? 3000}`,
  };
}
