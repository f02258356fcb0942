// `node tools/ensure.mjs`: installs and builds what is missing, and nothing else.
import { fileURLToPath } from 'url';
import './node-version.cjs';

// Loaded only now: an old Node.js cannot even link it.
import('./install-and-build.mjs')
  .then(({ ensure }) => {
    process.chdir(fileURLToPath(new URL('..', import.meta.url)));
    return ensure();
  })
  .catch((error) => {
    console.error(`Willcall: ${error.message}`);
    process.exitCode = 1;
  });
