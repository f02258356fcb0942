// A lock that one process at a time holds, for all clones of this folder's path.
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256, textOf } from './files.mjs';

/** Waits until the lock of the working directory is free. Takes over the lock of a killed process. Returns a function that releases it. */
export async function takeLock() {
  const file = join(tmpdir(), `willcall-ensure-${sha256(process.cwd()).slice(0, 16)}.lock`);
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, `${process.pid}`);
  let waiting = false;
  for (;;) {
    try {
      linkSync(mine, file);
      rmSync(mine);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = textOf(file);
    if (owner !== '' && !isAlive(Number(owner))) dropLock(file, owner);
    else if (!waiting) console.error('Willcall: waiting for another process that installs or builds …');
    waiting = true;
    await sleep(100);
  }
}

/** Renames the lock before it removes it, because another process may have just taken it over. */
function dropLock(file, owner) {
  const aside = `${file}.dropped-by-${process.pid}`;
  try {
    renameSync(file, aside);
    if (textOf(aside) !== owner) linkSync(aside, file);
    rmSync(aside);
  } catch {
    // Another process was faster.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
