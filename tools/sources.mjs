// What the builds of the server and of the console are made of, and whether they are out of date. Paths are relative to the repository's root.
import { writeFileSync } from 'node:fs';
import { filesBelow, hashOfFiles, textOf } from './files.mjs';
import { INSTALL_STAMP } from './install.mjs';

const SERVER = ['apps', 'libs', 'bench', 'test/support', 'test/architecture'];
// Of libs it takes only types, which leave nothing in the build.
const CONSOLE = ['apps/console'];
const TOOLS = ['bundle', 'compile', 'keep-code', 'vendored-files', 'warm-up'].map((name) => `tools/${name}.mjs`);
const BUILD_FILES = ['.swcrc', 'package.json', 'tools/program-loader.cjs', 'tools/programs.json', ...TOOLS];

// The file in `dist` that says of what a part was built.
const STAMPS = {
  programs: 'dist/programs/.willcall-built',
  'test-programs': 'dist/test-programs/.willcall-built',
  console: 'dist/console/.willcall-built',
};

export function sourceFiles() {
  return SERVER.flatMap(filesBelow).filter((file) => !file.endsWith('spec.ts') && !file.startsWith('apps/console/'));
}

const serverHash = () => hashOfFiles([...sourceFiles(), ...BUILD_FILES], textOf(INSTALL_STAMP));
const consoleHash = () =>
  hashOfFiles([
    ...CONSOLE.flatMap(filesBelow).filter((file) => !/spec\.tsx?$|^apps\/console\/test\//.test(file)),
    'package-lock.json',
  ]);
const hashOf = (part) => (part === 'console' ? consoleHash() : serverHash());

/** The parts of `dist` that are missing or out of date, each with a function to call when it was built. */
export function staleParts({ checks }) {
  const wanted = checks ? ['programs', 'test-programs', 'console'] : ['programs', 'console'];
  return new Map(
    wanted
      // A source may change during the build.
      .map((part) => [part, hashOf(part)])
      .filter(([part, hash]) => textOf(STAMPS[part]) !== hash)
      .map(([part, hash]) => [part, () => writeFileSync(STAMPS[part], hash)]),
  );
}
