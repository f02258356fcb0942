// What tools/run.cjs does once the version of Node.js is known to be new enough.
'use strict';
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const root = resolve(__dirname, '..');

async function run([, , program = '', ...args]) {
  const home = process.cwd();
  const { ensure } = await import('./install-and-build.mjs');
  process.chdir(root);
  await ensure();
  // Paths among the arguments are relative to where the person is.
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
