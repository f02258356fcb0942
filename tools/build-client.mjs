// `npm run build:client [folder]`: builds libs/client into a folder (dist-client) that is ready for `npm publish`.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(root, 'dist-client'));

rmSync(folder, { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(
  process.execPath,
  [tsc, '-p', join(root, 'libs/client/tsconfig.build.json'), '--outDir', folder],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);
cpSync(join(root, 'libs/client/package.json'), join(folder, 'package.json'));
const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
writeFileSync(join(folder, 'README.md'), page.replaceAll('](../examples/', '](examples/'));
cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
