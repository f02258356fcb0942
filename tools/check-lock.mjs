// npm may lock a package without the binaries of other platforms, and `npm ci` then fails there. So every optional dependency must
// be in package-lock.json.
import { pathToFileURL } from 'node:url';
import { lockedPackages, pathOf } from './locked-packages.mjs';

/** Takes `packages` of a package-lock.json. Returns "package@version lacks dependency" for each gap. */
export function optionalGaps(packages) {
  return Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => pathOf(packages, path, name) === undefined)
      .map((name) => `${path.replace(/^.*node_modules\//, '')}@${version} lacks ${name}`),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packages = lockedPackages();
  const gaps = optionalGaps(packages);
  for (const gap of gaps) console.error(gap);
  console.log(`package-lock.json: ${Object.keys(packages).length} packages, ${gaps.length} optional ones missing`);
  if (gaps.length > 0) process.exitCode = 1;
}
