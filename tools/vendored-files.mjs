// Copies files of packages that the programs read or serve to dist/vendor. An installation has no other files of these packages:
// swagger-ui-dist has 12 MB, of which 2 are served.
import { cpSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = `${root}dist/vendor`;

const FILES = {
  'bull-board': { of: '@bull-board/ui', files: ['dist'] },
  'swagger-ui': {
    of: 'swagger-ui-dist',
    files: [
      'LICENSE',
      'favicon-16x16.png',
      'favicon-32x32.png',
      'swagger-ui.css',
      'swagger-ui-bundle.js',
      'swagger-ui-standalone-preset.js',
    ],
  },
};

/** The folder appears whole, or not at all. */
export function copyVendoredFiles() {
  const unfinished = `${FOLDER}.${process.pid}`;
  for (const [name, { of, files }] of Object.entries(FILES))
    for (const file of files)
      cpSync(`${root}node_modules/${of}/${file}`, `${unfinished}/${name}/${file}`, { recursive: true });
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(unfinished, FOLDER);
}

/** Where a bundled package of these finds its files. `folder` is relative to the root: `node_modules/geo-tz/dist`. */
export function vendoredFolder(folder) {
  const found = Object.entries(FILES).find(([, { of }]) => folder.startsWith(`node_modules/${of}/`));
  return found ? folder.replace(`node_modules/${found[1].of}/`, `dist/vendor/${found[0]}/`) : folder;
}
