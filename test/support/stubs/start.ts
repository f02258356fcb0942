import { fileURLToPath } from 'node:url';
import { start } from '../../../apps/cli/src/start.js';
import { explain } from '../../../apps/cli/src/terminal/user-error.js';

/** `npm start` with stubs: the arguments name the stub of the api and that of the worker. */
const [, , api = 'api', worker = 'worker'] = process.argv;
const entryOf = (stub: string) => fileURLToPath(new URL(`../../../test-programs/stubbed-${stub}.js`, import.meta.url));

// Awaited by the file that tools/bundle.mjs writes for this program. A bundle cannot await at its top level.
export const ended = run();

async function run(): Promise<void> {
  try {
    await start([
      { name: 'api', entry: entryOf(api) },
      { name: 'worker', entry: entryOf(worker) },
    ]);
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}
