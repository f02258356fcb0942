// The part of tools/run.cjs that needs a new Node.js.
'use strict';
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const root = resolve(__dirname, '..');

async function run([, , program = '', ...args]) {
  const home = process.cwd();
  const { ensure } = await import('./install-and-build.mjs');
  process.chdir(root);
  await ensure();
  // Paths in arguments are relative to the folder of the caller.
  process.chdir(home);
  const file = resolve(root, program);
  process.argv = [process.execPath, file, ...args];
  return file;
}

run(process.argv).then(
  (file) => import(pathToFileURL(file)),
  (error) => {
    console.error(`Willcall: ${error.message}`);
    process.exitCode = 1;
  },
);
