import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';

/** In the form that `spawn` takes. Empty means our own. */
export type Account = { uid?: number; gid?: number };

const isRoot = () => process.platform !== 'win32' && userInfo().uid === 0;

/** PostgreSQL refuses to run as root. Root uses the owner of an existing data directory, or else `postgres` or `nobody`. */
export function serverAccount(dataDirectory: string): Account {
  if (!isRoot()) return {};
  const owner = statSync(dataDirectory, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    const uid = numericId('-u', name);
    const gid = numericId('-g', name);
    if (uid !== null && gid !== null) return { uid, gid };
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to run it as. ' +
      'Start Willcall as another user, or set DATABASE_URL to a server of your own.',
  );
}

export function canReach(path: string, account: Account): boolean {
  return account.uid === undefined || spawnSync('test', ['-x', path], account).status === 0;
}

function numericId(flag: '-u' | '-g', name: string): number | null {
  try {
    return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return null;
  }
}
