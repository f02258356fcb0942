// The part of tools/run.cjs that needs a new Node.js.
'use strict';
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const root = resolve(__dirname, '..');

async function run([, , ...args]) {
  const checks = args[0] === '--checks';
  const [program = '', ...rest] = checks ? args.slice(1) : args;
  const home = process.cwd();
  const { ensure, ensureStart } = await import('./install-and-build.mjs');
  process.chdir(root);
  // A first start has other things to do while its programs are bundled.
  const isStart = program === 'dist/programs/willcall.js' && rest[0] === 'start';
  const file = resolve(root, isStart ? await ensureStart(program) : (await ensure({ checks }), program));
  // Paths in arguments are relative to the folder of the caller.
  process.chdir(home);
  process.argv = [process.execPath, file, ...rest];
  return file;
}

run(process.argv).then(
  (file) => import(pathToFileURL(file)),
  (error) => {
    console.error(`Willcall: ${error.message}`);
    process.exitCode = 1;
  },
);
