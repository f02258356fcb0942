import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder that others may enter. Under root the embedded PostgreSQL runs as another user: its files would go to
 * /var/lib/willcall instead, out of a test's sight, and stay there.
 */
export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `willcall-${purpose}-`));
  chmodSync(folder, 0o755);
  return folder;
}
