// Which packages of package-lock.json belong to which part of this repository.
import { readFileSync } from 'node:fs';

/** `packages` of package-lock.json: by their path below the repository, the repository itself as ''. */
export function lockedPackages() {
  return JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).packages;
}

/** The paths of what these packages need, themselves included. `names` are found from the repository's root. */
export function closureOf(packages, names) {
  const found = new Set();
  const add = (path, name) => {
    const at = pathOf(packages, path, name);
    // An optional package may be missing.
    if (at === undefined || found.has(at)) return;
    found.add(at);
    for (const needed of namesNeededBy(packages[at])) add(at, needed);
  };
  for (const name of names) add('', name);
  return [...found];
}

function namesNeededBy({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
}

/** Where `name` is for the package at `path`, searched like Node: beside it, then in each folder above. */
export function pathOf(packages, path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const here = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (here in packages) return here;
    if (at === '') return undefined;
  }
}

const BUILD_TOOLS = ['@swc/core', '@vitejs/plugin-react', 'rolldown', 'vite'];

/** The packages that we ship: those that an installation loads, and those in the bundles of the programs and the console. */
export function shippedPackages(packages) {
  const { dependencies, devDependencies } = packages[''];
  const bundled = Object.keys(devDependencies).filter((name) => !BUILD_TOOLS.includes(name));
  return closureOf(packages, [...Object.keys(dependencies), ...bundled]);
}

/** What `npm ci` installs. */
export function rootPackages(packages) {
  const { dependencies, devDependencies } = packages[''];
  return closureOf(packages, Object.keys({ ...dependencies, ...devDependencies }));
}

/** What only lints, tests and compares: the package in `checks`. */
export function checkPackages(packages) {
  return closureOf(packages, Object.keys(packages.checks.devDependencies));
}
