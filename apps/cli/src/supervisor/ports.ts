import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#base/settings';
import { freePort, isPortFree } from '#base/free-port';
import { UserError } from '../terminal/user-error.js';
import { changeSettings } from './change-settings.js';

// Services of a killed supervisor need a moment to notice that it is gone.
const WAIT_FOR_PREDECESSOR_MS = 3_000;

/**
 * Replaces port 0 with a free port, so that a restarted service keeps its address. Fails if a port is taken, instead of letting a
 * service fail repeatedly.
 */
export async function withFreePorts(settings: Settings): Promise<Settings> {
  const PORT = await claim('PORT', settings.HOST, settings.PORT);
  const WORKER_PORT = await claim('WORKER_PORT', settings.WORKER_HOST, settings.WORKER_PORT);
  const PUBLIC_URL = settings.PORT === 0 ? settings.PUBLIC_URL.replace(/:0$/, `:${PORT}`) : settings.PUBLIC_URL;
  const OPERATIONS_PORT = settings.OPERATIONS_PORT === settings.PORT ? PORT : await operationsPort(settings);
  return changeSettings(settings, {
    PORT: `${PORT}`,
    OPERATIONS_PORT: `${OPERATIONS_PORT}`,
    WORKER_PORT: `${WORKER_PORT}`,
    PUBLIC_URL,
  });
}

/** The api also serves while this port is taken. */
async function operationsPort({ HOST, OPERATIONS_PORT }: Settings): Promise<number> {
  return OPERATIONS_PORT === 0 ? await claim('OPERATIONS_PORT', HOST, 0) : OPERATIONS_PORT;
}

async function claim(setting: string, host: string, port: number): Promise<number> {
  const cannotListen = ({ code }: NodeJS.ErrnoException) => {
    throw new UserError(`Willcall cannot listen on port ${port} of ${host} (${code}): see ${setting}.`);
  };
  if (port === 0) return await freePort(host).catch(cannotListen);
  const deadline = Date.now() + WAIT_FOR_PREDECESSOR_MS;
  while (!(await isPortFree(host, port).catch(cannotListen))) {
    if (Date.now() > deadline) throw new UserError(`Port ${port} of ${host} is in use: set ${setting} to another.`);
    await sleep(100);
  }
  return port;
}
