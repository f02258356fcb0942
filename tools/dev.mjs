// `npm run dev`: everything that `npm start` starts, built and started again when a source of the server changes, and the console by Vite,
// which shows a change of its sources at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { ensure } from './install-and-build.mjs';

// An editor may write several files at once.
const QUIET_MS = 200;

const isServerSource = (name) => /\.(?:ts|json)$/.test(name) && !name.endsWith('spec.ts');
const start = () => spawn(process.execPath, ['dist/programs/willcall.js', 'start'], { stdio: 'inherit' });
const vite = spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'apps/console'], { stdio: 'inherit' });

let server = start();
let timer;
let building = Promise.resolve();

for (const folder of ['apps/api', 'apps/worker', 'apps/cli', 'libs'])
  watch(folder, { recursive: true }, (_, name) => {
    if (name === null || !isServerSource(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => (building = building.then(startAgain)), QUIET_MS);
  });

async function startAgain() {
  try {
    await ensure();
  } catch (error) {
    // The fault is printed, and the server that runs goes on.
    console.error(`Willcall: ${error.message}`);
    return;
  }
  const ended = server.exitCode === null ? once(server, 'exit') : undefined;
  server.kill('SIGINT');
  await ended;
  server = start();
}

// Ctrl-C reaches the others too.
process.once('SIGINT', () => {
  vite.kill();
  process.exit();
});
