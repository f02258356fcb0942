// `npm test`: runs every suite in one run of Vitest, with the given arguments.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

const skipped = [];
if (spawnSync('redis-server', ['--version']).status !== 0) skipped.push('on Redis (no redis-server on the PATH)');
// The same as in test/support/chromium.ts.
const browsers = process.env.CHROMIUM
  ? [process.env.CHROMIUM]
  : ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
if (!browsers.some(isExecutable)) skipped.push('in a browser (no Chromium, see CHROMIUM)');
if (skipped.length > 0) console.log(`Skipped suites: ${skipped.join(', ')}.`);

const projects = ['unit', 'int', 'e2e'].flatMap((name) => ['--project', name]);
const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...process.argv.slice(2)];
const run = spawn(process.execPath, vitest, { stdio: 'inherit' });
// Vitest gets a Ctrl-C itself. A second SIGINT would keep it from stopping its servers.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => run.kill('SIGTERM'));
run.once('exit', (code) => process.exit(code ?? 1));

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
