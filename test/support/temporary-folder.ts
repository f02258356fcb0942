import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that others may enter: under root the embedded PostgreSQL runs as another user, and would use /var/lib/willcall. */
export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `willcall-${purpose}-`));
  chmodSync(folder, 0o755);
  return folder;
}
