import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataFolder } from './data-folder.js';

const TRY_EVERY_MS = 50;
// The holder may be recovering a large database.
const FREE_WITHIN_MS = 180_000;

/** One process of this machine at a time. The lock is a socket, so the operating system releases it even if its holder is killed. */
export async function withDirectoryLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(directory);
  try {
    return await work();
  } finally {
    lock.close();
    await once(lock, 'close');
  }
}

async function acquireLock(directory: string): Promise<Server> {
  makeDataFolder(dirname(resolve(directory)));
  const path = socketPath(join(realpathSync(dirname(resolve(directory))), basename(directory)));
  const deadline = Date.now() + FREE_WITHIN_MS;
  for (;;) {
    const lock = createServer((connection) => connection.destroy()).listen({ path, exclusive: true });
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

/** Outside Linux a socket is a file, which a killed holder leaves behind. */
async function removeStale(path: string): Promise<void> {
  if (process.platform === 'linux' || process.platform === 'win32') return;
  const connection = connect(path);
  try {
    await once(connection, 'connect');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') rmSync(path, { force: true });
  } finally {
    connection.destroy();
  }
}
