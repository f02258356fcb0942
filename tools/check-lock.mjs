// npm may lock a package without the binaries of other platforms, and `npm ci` then fails there. So every optional dependency must
// be in package-lock.json.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Takes `packages` of a package-lock.json. Returns "package@version lacks dependency" for each gap. */
export function optionalGaps(packages) {
  return Object.entries(packages).flatMap(([path, { version, optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(packages, path, name))
      .map((name) => `${path.replace(/^.*node_modules\//, '')}@${version} lacks ${name}`),
  );
}

/** Searches like Node: beside the package, then in each folder above. */
function isLocked(packages, path, name) {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const here = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (here in packages) return true;
    if (at === '') return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const gaps = optionalGaps(packages);
  for (const gap of gaps) console.error(gap);
  console.log(`package-lock.json: ${Object.keys(packages).length} packages, ${gaps.length} optional ones missing`);
  if (gaps.length > 0) process.exitCode = 1;
}
