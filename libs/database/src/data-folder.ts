import { chmodSync, mkdirSync, statSync } from 'node:fs';

const OWNER_ALONE = 0o700;
const STICKY = 0o1000;

/** Only on Linux can the account of a server that root starts work in a folder that it cannot enter. */
const mustBeOpen = () => process.platform !== 'linux' && process.getuid?.() === 0;

/** Makes DATA_DIR, and what is missing above it: it has the secrets, the database and the tickets. Nobody but its owner may look into it. */
export function makeDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, ...(!mustBeOpen() && { mode: OWNER_ALONE }) });
}

/** Closes a DATA_DIR that an earlier release left open to others. One of another user, or for all such as /tmp, stays as it is. */
export function closeDataFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found || mustBeOpen() || found.uid !== process.getuid?.() || (found.mode & STICKY) !== 0) return;
  const closed = found.mode & OWNER_ALONE;
  if ((found.mode & 0o777) !== closed) chmodSync(folder, closed);
}
