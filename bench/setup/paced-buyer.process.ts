import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineMs } from './machine-clock.js';
import { buildRequests, type RequestPlan } from './requests.js';
import { serveRequests } from './side-process.js';

export type PacedRequest = Readonly<{ port: number; plan: RequestPlan; perSecond: number }>;

/** Times by `machineMs`. */
export type Bought = Readonly<{ orderId: string; sentAt: number; answeredAt: number }>;

const idle: Socket[] = [];

/** Sends each purchase at its time, however long earlier ones take. */
serveRequests(async ({ port, plan, perSecond }: PacedRequest): Promise<Bought[]> => {
  const began = machineMs();
  const pending = buildRequests(plan).map(async (request, index) => {
    await sleep(Math.max(0, began + PREPARATION_MS + (index * 1_000) / perSecond - machineMs()));
    return await buy(port, request);
  });
  return await Promise.all(pending);
});

// All requests are built and signed before the first is sent.
const PREPARATION_MS = 1_000;

async function buy(port: number, request: Buffer): Promise<Bought> {
  const socket = idle.pop() ?? (await open(port));
  const sentAt = machineMs();
  socket.write(request);
  let answer = '';
  while (!isWhole(answer)) answer += await nextChunk(socket);
  const answeredAt = machineMs();
  idle.push(socket);
  const orderId = /"(ord_[0-9a-f]+)"/.exec(answer)?.[1];
  if (!answer.startsWith('HTTP/1.1 201') || orderId === undefined) throw new Error(answer.slice(0, 300));
  return { orderId, sentAt, answeredAt };
}

async function nextChunk(socket: Socket): Promise<string> {
  const came = new AbortController();
  const closed = once(socket, 'close', { signal: came.signal });
  closed.catch(() => undefined);
  try {
    const [chunk] = (await Promise.race([once(socket, 'data', { signal: came.signal }), closed])) as [Buffer | boolean];
    if (socket.destroyed) throw new Error('The api closed the connection of a purchase');
    return String(chunk);
  } finally {
    came.abort();
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  // The api closes idle connections.
  socket.once('close', () => {
    if (idle.includes(socket)) idle.splice(idle.indexOf(socket), 1);
  });
  return socket;
}

/** Answers are ASCII, so a character is a byte. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(answer)?.[1];
  return end > 0 && length !== undefined && answer.length - end - 4 >= Number(length);
}
