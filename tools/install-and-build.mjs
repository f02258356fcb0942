// Installs packages if package-lock.json has changed, and builds `dist` if a source has. Runs before every npm script, so it is quick
// and silent if there is nothing to do. Several processes may run it at once. Paths are relative to the repository's root.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { install, isInstalled } from './install.mjs';
import { takeLock } from './process-lock.mjs';
import { runCommand } from './run-command.mjs';
import { staleParts } from './sources.mjs';

const BUILD = 'tools/build.mjs';

const isReady = (wanted) => isInstalled(wanted) && staleParts(wanted).size === 0;

/** Returns when everything is there. `checks`: also what lints, tests and compares. The working directory must be the repository's root. */
export async function ensure({ checks = false } = {}) {
  if (isReady({ checks })) return;
  const release = await takeLock();
  try {
    install({ checks });
    const stale = staleParts({ checks });
    if (stale.size === 0) return;
    await compileSources(stale);
    runCommand(process.execPath, [BUILD, ...(checks ? ['--checks'] : [])]);
  } finally {
    release();
  }
}

/**
 * For `willcall start`, which makes a database first. Returns the file to run as soon as that can run, while a process of its own still
 * bundles and builds the console. If that fails, this process is told to stop.
 */
export async function ensureStart(bundledFile) {
  const wanted = { checks: false };
  if (isReady(wanted)) return bundledFile;
  const release = await takeLock();
  try {
    install(wanted);
    const stale = staleParts(wanted);
    if (stale.size > 0) {
      await compileSources(stale);
      buildBeside(stale, release);
    } else {
      release();
    }
    return stale.has('programs') ? compiledFile(bundledFile) : bundledFile;
  } catch (error) {
    release();
    throw error;
  }
}

async function compileSources(stale) {
  if (!stale.has('programs') && !stale.has('test-programs')) return;
  console.error('Willcall: building …');
  const { compile } = await import('./compile.mjs');
  await compile();
}

function buildBeside(stale, release) {
  if (stale.has('programs')) rmSync('dist/programs', { recursive: true, force: true });
  const child = spawn(process.execPath, [BUILD], { stdio: ['ignore', 2, 2] });
  writeFileSync('dist/.willcall-building', `${child.pid}`);
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', (code) => {
    process.removeListener('exit', end);
    release();
    // Ctrl-C reaches both processes.
    if (code === 0 || code === null) return;
    console.error(`Willcall: ${BUILD}: exit code ${code}`);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  });
  child.unref();
}

/** The file of which tools/bundle.mjs makes this program. */
function compiledFile(bundledFile) {
  const { programs } = JSON.parse(readFileSync('tools/programs.json', 'utf8'));
  return programs[/([\w-]+)\.js$/.exec(bundledFile)?.[1] ?? ''];
}
