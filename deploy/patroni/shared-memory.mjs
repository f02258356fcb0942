import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The line of postmaster.pid with the key and the id of the segment.
const LINE = 6;

/** Removes the segments that killed servers have left. A server removes its own when it ends. */
export function clearSharedMemory(folder, { nodes }) {
  for (const { name } of nodes) {
    const file = join(folder, name, 'patroni/data/postmaster.pid');
    if (!existsSync(file)) continue;
    const [, id] = (readFileSync(file, 'utf8').split('\n')[LINE] ?? '').trim().split(/\s+/);
    if (id) spawnSync('ipcrm', ['-m', id], { stdio: 'ignore' });
  }
}
