// `node tools/ensure.mjs`: installs and builds what is missing.
import { fileURLToPath } from 'url';
import './node-version.cjs';

// Imported only now, because an old Node.js could not load it.
import('./install-and-build.mjs')
  .then(({ ensure }) => {
    process.chdir(fileURLToPath(new URL('..', import.meta.url)));
    return ensure();
  })
  .catch((error) => {
    console.error(`Willcall: ${error.message}`);
    process.exitCode = 1;
  });
