import { readFileSync } from 'node:fs';

// A registry that answers 404 for one platform's binary lets npm write a lock without it; `npm ci` then fails on that
// platform only. So every dependency that a locked package names, the optional ones too, must be in the lock.

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { packages } = read('package-lock.json');

/** Node's way of finding a package: the folder's own node_modules first, then each one above it. */
function found(name, from) {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}

const gaps = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
  Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => !found(name, path))
    .map((name) => `${path || 'package.json'} needs ${name}`),
);

const root = packages[''];
const asked = read('package.json');
for (const kind of ['dependencies', 'devDependencies']) {
  for (const name of new Set([...Object.keys(asked[kind]), ...Object.keys(root[kind])])) {
    if (asked[kind][name] !== root[kind][name]) gaps.push(`package.json and its lock differ in ${name}`);
  }
}

if (gaps.length > 0) {
  console.error(`package-lock.json has gaps:\n${gaps.join('\n')}`);
  process.exit(1);
}
console.log(`package-lock.json is whole: ${Object.keys(packages).length - 1} packages`);
