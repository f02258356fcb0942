import { setTimeout as sleep } from 'node:timers/promises';
import { PlainConnection } from './plain-connection.js';

export type PacedAnswers = Readonly<{
  seconds: number;
  /** By request, from when it was due. Includes the wait for a free connection. */
  latenciesMs: readonly number[];
  /** By request. */
  statuses: readonly number[];
}>;

type Pace = Readonly<{ port: number; connections: number; perSecond: number }>;

/**
 * Sends requests at even intervals, each on the next free connection. autocannon's rate is a burst on all connections at the start
 * of each second, and its correction of latencies assumes that requests are a millisecond apart, whatever the rate.
 */
export async function sendPaced(requests: readonly Buffer[], pace: Pace): Promise<PacedAnswers> {
  const connections = await Promise.all(
    Array.from({ length: pace.connections }, () => PlainConnection.open('127.0.0.1', pace.port)),
  );
  const latenciesMs: number[] = [];
  const statuses: number[] = [];
  const began = performance.now();
  let next = 0;
  const send = async (connection: PlainConnection): Promise<void> => {
    for (let index = next++; index < requests.length; index = next++) {
      const due = began + (index * 1_000) / pace.perSecond;
      const early = due - performance.now();
      if (early > 0) await sleep(early);
      statuses[index] = await connection.exchange(requests[index] ?? Buffer.alloc(0));
      latenciesMs[index] = performance.now() - due;
    }
  };
  try {
    await Promise.all(connections.map(send));
    return { seconds: (performance.now() - began) / 1_000, latenciesMs, statuses };
  } finally {
    for (const connection of connections) connection.close();
  }
}
