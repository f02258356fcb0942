// `npm test`: runs every suite in one run of Vitest, with the given arguments.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { missingPrograms } from '../deploy/patroni/missing-programs.mjs';
import { missingPrograms as missingForRestore } from '../deploy/pgbackrest/missing-programs.mjs';
import { debianPostgres } from './debian-postgres.mjs';
import { judgeRunsAgain } from './runs-again.mjs';

// More than these failed because of the code, not because several files share two processors.
const MOST_RUN_AGAIN = 5;

// Files that passed only when they ran again, in the last run on this machine.
const RUNS_AGAIN = '.runs-again.json';

const skipped = [];
if (spawnSync('redis-server', ['--version']).status !== 0) skipped.push('on Redis (no redis-server on the PATH)');
// The same as in test/support/debian-postgres.ts.
const servers = '/usr/lib/postgresql';
const versions = existsSync(servers) ? readdirSync(servers).filter((version) => Number(version) >= 15) : [];
if (!versions.some((version) => isExecutable(join(servers, version, 'bin/postgres'))))
  skipped.push(`on Debian's PostgreSQL (no ${servers}/*/bin/postgres)`);
// The same as in test/support/chromium.ts.
const browsers = process.env.CHROMIUM
  ? [process.env.CHROMIUM]
  : ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
if (!browsers.some(isExecutable)) skipped.push('in a browser (no Chromium, see CHROMIUM)');
if (debianPostgres === undefined) skipped.push("on Debian's PostgreSQL (none in /usr/lib/postgresql)");
if (spawnSync('promtool', ['--version']).status !== 0) skipped.push('of alerts (no promtool on the PATH)');
if (missingPrograms.length > 0) skipped.push(`of Patroni (no ${missingPrograms.join(', ')})`);
if (missingForRestore.length > 0) skipped.push(`of pgBackRest (no ${missingForRestore.join(', ')})`);
if (skipped.length > 0) console.log(`Skipped suites: ${skipped.join(', ')}.`);

const PROJECTS = ['unit', 'int', ...(debianPostgres === undefined ? [] : ['int-debian']), 'e2e'];

let running;
let stopped = false;
// Vitest gets a Ctrl-C itself. A second SIGINT would keep it from stopping its servers.
process.on('SIGINT', () => (stopped = true));
process.on('SIGTERM', () => {
  stopped = true;
  running.kill('SIGTERM');
});

const wanted = process.argv.slice(2);
process.exitCode = wanted.length === 0 ? await everything() : await vitest([...project(...PROJECTS), ...wanted]);

/**
 * Runs the suites. A file that failed runs once more, alone: several files share two processors. It is named and counted at the end, and
 * fails if it needed that in the last run too.
 */
async function everything() {
  const folder = mkdtempSync(join(tmpdir(), 'willcall-failed-'));
  const report = join(folder, 'files.json');
  const reporters = ['--reporter=default', `--reporter=${resolve(import.meta.dirname, 'failed-files-reporter.mjs')}`];
  const code = await vitest([...project(...PROJECTS), ...reporters], { FAILED_FILES: report });
  const failed = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
  rmSync(folder, { recursive: true });
  if (stopped || failed.length > MOST_RUN_AGAIN) return code;
  const again = [];
  for (const { project: name, file } of failed) {
    const path = relative(process.cwd(), file);
    console.log(`\n${path} failed and runs again, alone:`);
    const result = await vitest([...project(name), file]);
    if (result !== 0 || stopped) return result || code;
    again.push(path);
  }
  // A failure outside of any file.
  if (code !== 0 && failed.length === 0) return code;
  return judgeRunsAgain(again, RUNS_AGAIN);
}

function project(...names) {
  return names.flatMap((name) => ['--project', name]);
}

function vitest(args, environment = {}) {
  running = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return new Promise((done) => running.once('exit', (code) => done(code ?? 1)));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
