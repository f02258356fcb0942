import { once } from 'node:events';

/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP. Further ones change nothing: npm repeats a Ctrl-C that the terminal
 * has sent already, and what is stopping has a limit of time anyway.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  // A terminal that has gone away must not end the supervisor before it has stopped what it started.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return controller.signal;
}

export async function untilAborted(signal: AbortSignal): Promise<void> {
  // Without a listener on anything else the process would end here.
  const awake = setInterval(() => undefined, 60_000);
  if (!signal.aborted) await once(signal, 'abort');
  clearInterval(awake);
}
