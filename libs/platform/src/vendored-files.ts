import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Relative to dist/libs/operations/src and to libs/operations/src.
const FOLDERS = ['../../../vendor/', '../../../dist/vendor/'];

/** The folder of files that we serve and did not write. tools/vendored-files.mjs copies them from their packages at each build. */
export function vendoredFiles(name: 'bull-board' | 'swagger-ui'): string {
  const found = FOLDERS.map((path) => fileURLToPath(new URL(path + name, import.meta.url))).find(existsSync);
  if (found === undefined) throw new Error(`dist/vendor/${name} is missing: run \`npm run build\`.`);
  return found;
}
