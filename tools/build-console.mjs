// The console (apps/console) is built by Vite into dist/console, and only if one of its sources has changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

/** Not a part of the server's build: its compiler must leave this folder out. */
export const CONSOLE = 'apps/console/';
export const CONSOLE_OUTPUT = 'dist/console/';

// It imports only types from libs, which leave nothing behind.
const SOURCES = ['apps/console'];
const STAMP = `${CONSOLE_OUTPUT}.willcall-built`;

export const isConsoleBuilt = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceHash();

// Vitest sets it to `test`, and its runs build the console too: with React for development, which is larger and slower.
const VARIABLES = { NODE_ENV: 'production' };

/** `runScript` runs a script of package.json by its name, with these variables in addition to ours. */
export function buildConsole(runScript) {
  const hash = sourceHash();
  runScript('build:console', VARIABLES);
  writeFileSync(STAMP, hash);
}

function sourceHash() {
  const inputs = [...SOURCES.flatMap(filesBelow), 'package-lock.json'].map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${file} ${mtimeMs} ${size}`;
  });
  return createHash('sha256')
    .update([...inputs, JSON.stringify(VARIABLES)].join('\n'))
    .digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : path.endsWith('spec.ts') ? [] : path;
  });
}
