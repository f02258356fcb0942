import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TRY_EVERY_MS = 50;
// The holder may be recovering a large database.
const FREE_WITHIN_MS = 180_000;

/**
 * Runs `work` while no other process of this machine does so for the same directory. The lock is a socket: the system
 * frees it however its holder ends, so that no killed process leaves one behind.
 */
export async function withDirectoryLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockOf(directory);
  try {
    return await work();
  } finally {
    lock.close();
    await once(lock, 'close');
  }
}

async function lockOf(directory: string): Promise<Server> {
  mkdirSync(dirname(resolve(directory)), { recursive: true });
  const path = socketPath(join(realpathSync(dirname(resolve(directory))), basename(directory)));
  const deadline = Date.now() + FREE_WITHIN_MS;
  for (;;) {
    const lock = createServer((visitor) => visitor.destroy()).listen({ path, exclusive: true });
    try {
      await once(lock, 'listening');
      return lock;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (Date.now() > deadline) throw new Error(`Another process has been busy with ${directory} for too long.`);
      await removeStale(path);
      await sleep(TRY_EVERY_MS);
    }
  }
}

function socketPath(directory: string): string {
  const name = `willcall-${createHash('sha256').update(directory).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Only elsewhere does a socket have a file, which a killed holder leaves behind. */
async function removeStale(path: string): Promise<void> {
  if (process.platform === 'linux' || process.platform === 'win32') return;
  const visitor = connect(path);
  try {
    await once(visitor, 'connect');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') rmSync(path, { force: true });
  } finally {
    visitor.destroy();
  }
}
