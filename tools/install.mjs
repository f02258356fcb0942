// Installs packages with npm, as package-lock.json says. Paths are relative to the repository's root.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { checkPackages, lockedPackages, rootPackages } from './locked-packages.mjs';
import { sha256, textOf } from './files.mjs';
import { runCommand } from './run-command.mjs';

export const INSTALL_STAMP = 'node_modules/.willcall-installed';
const CHECKS_STAMP = 'node_modules/.willcall-checks-installed';

const lockHash = () => sha256(readFileSync('package-lock.json'));
const isStamped = (stamp) => textOf(stamp) === lockHash();

/** `checks`: also what only lints, tests and compares, the package in the folder of that name. */
export const isInstalled = ({ checks }) => isStamped(INSTALL_STAMP) && (!checks || isStamped(CHECKS_STAMP));

export function install({ checks }) {
  if (!isStamped(INSTALL_STAMP)) {
    if (!holds(rootPackages)) {
      console.error('Willcall: installing packages (npm ci) …');
      // The build needs dev packages.
      npm('ci', '--include=dev', '--loglevel=error');
    }
    writeFileSync(INSTALL_STAMP, lockHash());
  }
  if (!checks || isStamped(CHECKS_STAMP)) return;
  if (!holds(checkPackages)) {
    console.error('Willcall: installing what checks and tests need …');
    npm('install', '--workspaces', '--include-workspace-root', '--include=dev', '--no-save', '--loglevel=error');
  }
  writeFileSync(CHECKS_STAMP, lockHash());
}

/** True after an `npm ci` or `npm install` by hand. */
function holds(pathsIn) {
  const record = textOf('node_modules/.package-lock.json');
  if (record === '') return false;
  const installed = JSON.parse(record).packages;
  const locked = lockedPackages();
  return pathsIn(locked).every((path) => {
    const { version, integrity, optional, devOptional } = locked[path];
    const found = installed[path];
    if (!found) return Boolean(optional ?? devOptional);
    return found.version === version && found.integrity === integrity;
  });
}

function npm(...args) {
  const program = process.env.npm_execpath;
  if (program?.endsWith('.js') && existsSync(program)) runCommand(process.execPath, [program, ...args]);
  else runCommand('npm', args, { shell: process.platform === 'win32' });
}
