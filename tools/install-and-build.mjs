// Installs packages if package-lock.json has changed, and builds `dist` if a source has. Runs before every npm script, so it is quick
// and silent if there is nothing to do. Several processes may run it at once. Paths are relative to the repository's root.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildConsole, CONSOLE, CONSOLE_OUTPUT, isConsoleBuilt } from './build-console.mjs';

// The folders of the build script in package.json.
const SOURCES = ['apps', 'libs', 'bench', 'test/support', 'test/architecture'];
const BUILD_FILES = [
  '.swcrc',
  'package.json',
  'tools/bundle.mjs',
  'tools/keep-code.mjs',
  'tools/program-loader.cjs',
  'tools/programs.json',
  'tools/warm-up.mjs',
];
const INSTALL_STAMP = 'node_modules/.willcall-installed';
const BUILD_STAMP = 'dist/.willcall-built';
// tools/bundle.mjs clears this folder itself.
const BUNDLES = 'dist/programs/';

const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const lockHash = () => sha256(readFileSync('package-lock.json'));
const isInstalled = () => textOf(INSTALL_STAMP) === lockHash();
const isBuilt = () => textOf(BUILD_STAMP) === sourceHash();

/** Installs and builds what is missing or out of date. The working directory must be the repository's root. */
export async function ensure() {
  if (!isInstalled() || !isBuilt() || !isConsoleBuilt()) await makeReady();
}

async function makeReady() {
  const release = await takeLock(join(tmpdir(), `willcall-ensure-${sha256(process.cwd()).slice(0, 16)}.lock`));
  try {
    if (!isInstalled()) install();
    if (!isBuilt()) build();
    if (!isConsoleBuilt()) {
      console.error('Willcall: building the console …');
      buildConsole(runScript);
    }
  } finally {
    release();
  }
}

function install() {
  if (!holdsTheLockedVersions()) {
    console.error('Willcall: installing packages (npm ci) …');
    // The build needs dev packages. On Node 20 npm warns of three packages that ask for a newer Node; the tests exercise them on it.
    const flags = ['ci', '--include=dev', '--loglevel=error'];
    const npm = process.env.npm_execpath;
    if (npm?.endsWith('.js')) run(process.execPath, [npm, ...flags]);
    else run('npm', flags, { shell: process.platform === 'win32' });
  }
  writeFileSync(INSTALL_STAMP, lockHash());
}

/** True after an `npm ci` or `npm install` by hand. */
function holdsTheLockedVersions() {
  const record = textOf('node_modules/.package-lock.json');
  if (record === '') return false;
  const installed = JSON.parse(record).packages;
  const locked = Object.entries(JSON.parse(textOf('package-lock.json')).packages).filter(([path]) => path !== '');
  return locked.every(([path, { version, integrity, optional, devOptional }]) => {
    const found = installed[path];
    if (!found) return Boolean(optional ?? devOptional);
    return found.version === version && found.integrity === integrity;
  });
}

function build() {
  console.error('Willcall: building …');
  const hash = sourceHash();
  mkdirSync('dist', { recursive: true });
  rmSync(BUILD_STAMP, { force: true });
  runScript('build:server');
  removeStaleOutputs();
  writeFileSync(BUILD_STAMP, hash);
}

/** Like `npm run`, which may not be there. */
function runScript(name, variables = {}) {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const PATH = [resolve('node_modules/.bin'), process.env.PATH].join(delimiter);
  run(scripts[name], [], { shell: true, env: { ...process.env, ...variables, PATH } });
}

/** Renamed or deleted files must not stay importable. */
function removeStaleOutputs() {
  const outputs = new Set(
    sourceFiles().flatMap((file) =>
      /\.tsx?$/.test(file) ? ['.js', '.js.map'].map((end) => file.replace(/\.tsx?$/, end)) : file,
    ),
  );
  for (const file of filesBelow('dist')) {
    const isOurs = file.startsWith(BUNDLES) || file.startsWith(CONSOLE_OUTPUT);
    if (!isOurs && !outputs.has(file.slice('dist/'.length))) rmSync(file);
  }
}

function sourceHash() {
  const inputs = [...sourceFiles(), ...BUILD_FILES].map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${file} ${mtimeMs} ${size}`;
  });
  return sha256([textOf(INSTALL_STAMP), ...inputs].join('\n'));
}

function sourceFiles() {
  return SOURCES.filter((folder) => existsSync(folder))
    .flatMap(filesBelow)
    .filter((file) => !file.endsWith('spec.ts') && !file.startsWith(CONSOLE));
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : path;
  });
}

function run(command, args, options = {}) {
  // To stderr, because stdout of `npm run willcall` belongs to the command.
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${status}`);
}

/** Waits until the lock is free. Takes over the lock of a killed process. */
async function takeLock(file) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, `${process.pid}`);
  let waiting = false;
  for (;;) {
    try {
      linkSync(mine, file);
      rmSync(mine);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = textOf(file);
    if (owner !== '' && !isAlive(Number(owner))) dropLock(file, owner);
    else if (!waiting) console.error('Willcall: waiting for another process that installs or builds …');
    waiting = true;
    await sleep(100);
  }
}

/** Renames the lock before it removes it, because another process may have just taken it over. */
function dropLock(file, owner) {
  const aside = `${file}.dropped-by-${process.pid}`;
  try {
    renameSync(file, aside);
    if (textOf(aside) !== owner) linkSync(aside, file);
    rmSync(aside);
  } catch {
    // Another process was faster.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
