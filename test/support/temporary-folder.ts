import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a process leaves behind is removed at the end of a run, or by the next one, by the process id after this prefix. */
export const TEST_FOLDER = 'willcall-test-';

const ENOUGH_BYTES = 2 * 1024 ** 3;

let known: string | undefined;

/**
 * Where tests keep their files: in memory if there is enough, because a database is more than a thousand files, and making them on a disk
 * cost a tenth of the processor time of all tests. A container's /dev/shm is often too small, and some do not run programs from it.
 */
export function memoryFolder(): string {
  known ??= isUsable('/dev/shm') ? '/dev/shm' : tmpdir();
  return known;
}

function isUsable(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < ENOUGH_BYTES) return false;
  const program = join(folder, `${TEST_FOLDER}${process.pid}-program`);
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(program).status === 0;
  } catch {
    return false;
  } finally {
    rmSync(program, { force: true });
  }
}

/** A new folder that others may enter: under root the embedded PostgreSQL runs as another user, and would use /var/lib/willcall. */
export function temporaryFolder(purpose: string, parent = memoryFolder()): string {
  const folder = mkdtempSync(join(parent, `${TEST_FOLDER}${process.pid}-${purpose}-`));
  chmodSync(folder, 0o755);
  return folder;
}
