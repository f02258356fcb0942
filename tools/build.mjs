// `node tools/build.mjs [--checks]`: bundles the compiled sources and builds the console, each if it is out of date, then keeps what V8
// compiles of the bundles. In a fresh clone `willcall start` runs meanwhile, and waits until dist/.willcall-building is gone.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { bundle } from './bundle.mjs';
import { staleParts } from './sources.mjs';

const stale = staleParts({ checks: process.argv.includes('--checks') });
const bundles = [...stale.keys()].filter((part) => part !== 'console');
for (const kind of bundles) await bundle(kind);
if (stale.has('console')) {
  console.error('Willcall: building the console …');
  // Vitest sets NODE_ENV to `test`, and its runs build the console too: with React for development, which is larger and slower.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({ root: 'apps/console', configFile: 'apps/console/vite.config.ts', logLevel: 'warn' });
  stale.get('console')();
}
rmSync('dist/.willcall-building', { force: true });
if (bundles.length > 0) {
  // The programs start at this moment.
  setPriority(constants.priority.PRIORITY_LOW);
  // V8 takes over compiled code only with the flags with which it was compiled.
  const { NODE_OPTIONS: _, ...environment } = process.env;
  execFileSync(process.execPath, ['tools/keep-code.mjs', ...bundles], { stdio: 'inherit', env: environment });
  for (const kind of bundles) stale.get(kind)();
}
