// `node tools/ensure.mjs [--checks]`: installs and builds what is missing; `--checks`, also what lints, tests and compares.
import { fileURLToPath } from 'url';
import './node-version.cjs';

// Imported only now, because an old Node.js could not load it.
import('./install-and-build.mjs')
  .then(({ ensure }) => {
    process.chdir(fileURLToPath(new URL('..', import.meta.url)));
    return ensure({ checks: process.argv.includes('--checks') });
  })
  .catch((error) => {
    console.error(`Willcall: ${error.message}`);
    process.exitCode = 1;
  });
