import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '#base/settings';
import { UserError } from '../terminal/user-error.js';
import type { SupervisedProcess } from './supervised-process.js';

// A service that is not ready after this time will not become ready.
const READY_WITHIN_MS = 120_000;

/** Waits until api and worker are ready. A service that ends before has printed why. */
export async function untilReady(
  settings: Settings,
  services: readonly SupervisedProcess[],
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const areReady = (await isReady(apiHealth(settings))) && (await isReady(workerHealth(settings)));
    // Before the answers are believed: they can be those of another program that has taken the port.
    const dead = services.find(({ lastEnd }) => lastEnd !== undefined);
    if (dead) throw new UserError(`Willcall: ${dead.name} ended (${dead.lastEnd}) before it was ready.`);
    if (areReady) return;
    if (Date.now() > deadline) throw new UserError(`Willcall is not ready after ${READY_WITHIN_MS / 1000} s.`);
    await sleep(50, undefined, { signal });
  }
}

export function isServing(settings: Settings): Promise<boolean> {
  return isReady(apiHealth(settings));
}

function apiHealth({ HOST, PORT, TLS_CERT_FILE }: Settings): URL {
  return healthAt(TLS_CERT_FILE === undefined ? 'http' : 'https', HOST, PORT);
}

export function workerHealth({ WORKER_HOST, WORKER_PORT }: Settings): URL {
  return healthAt('http', WORKER_HOST, WORKER_PORT);
}

function healthAt(scheme: string, host: string, port: number): URL {
  // Addresses for "every interface" are only valid for listening.
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return new URL(`${scheme}://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}/health/ready`);
}

function isReady(address: URL): Promise<boolean> {
  const request = address.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((done) => {
    // The certificate names the host of PUBLIC_URL, but this request goes to the IP address.
    const probe = request(address, { rejectUnauthorized: false, timeout: 5_000 }, (answer) => {
      answer.resume();
      done(answer.statusCode === 200);
    });
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => done(false));
    probe.end();
  });
}
