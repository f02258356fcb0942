// The processes of a cluster. One belongs to a server if its working directory is in that server's folder.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** PostgreSQL and etcd need no root. Empty means our own account. */
export function account() {
  if (process.getuid() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // There is no such account.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no account "postgres" or "nobody".');
}

/** The ids of the processes below the folder. */
export function processesIn(folder) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        const place = readlinkSync(`/proc/${id}/cwd`).replace(/ \(deleted\)$/, '');
        return place === folder || place.startsWith(`${folder}/`);
      } catch {
        // It has ended, or it is another account's.
        return false;
      }
    })
    .map(Number);
}

/** Sends it to all of them, the oldest first, so that a parent starts no further ones. */
export function signalAll(folder, signal) {
  for (const id of processesIn(folder)) {
    try {
      process.kill(id, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

/** Makes a folder that belongs to the account, and to nobody else. */
export function makeFolder(path, { uid, gid }) {
  mkdirSync(path, { mode: 0o700, recursive: true });
  if (uid !== undefined) chownSync(path, uid, gid);
}

/** Writes a file that only the account can read: it has passwords. */
export function writeOwned(path, text, { uid, gid }) {
  writeFileSync(path, text, { mode: 0o600 });
  if (uid !== undefined) chownSync(path, uid, gid);
}

/** Starts a program that outlives this one. Its output is in `output.log` of its folder. */
export function launch(folder, program, args, { env = {}, ...owner } = {}) {
  const log = openSync(join(folder, 'output.log'), 'a', 0o600);
  const options = { cwd: folder, detached: true, stdio: ['ignore', log, log] };
  spawn(program, args, { ...options, ...owner, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env } })
    .once('error', (error) => console.error(`${program}: ${error.message}`))
    .unref();
  closeSync(log);
}

/** Waits until the condition returns something true, and returns that. An error means "not yet". */
export async function until(what, condition, withinMs = 120_000) {
  const deadline = performance.now() + withinMs;
  let last;
  while (performance.now() < deadline) {
    try {
      last = await condition();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    await pause(50);
  }
  throw new Error(`Not within ${withinMs / 1_000} s: ${what}`, { cause: last });
}
