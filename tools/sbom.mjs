// Prints a bill of materials (CycloneDX) of the packages that we ship, bundled ones included, from package-lock.json. Needs only npm.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lockedPackages, shippedPackages } from './locked-packages.mjs';

const LARGEST_BYTES = 64 * 1024 * 1024;
const isWindows = process.platform === 'win32';

const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const text = execFileSync(isWindows ? 'npm.cmd' : 'npm', args, {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  encoding: 'utf8',
  maxBuffer: LARGEST_BYTES,
  shell: isWindows,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const document = JSON.parse(text);
// Decided by the lock, because npm knows neither bundles nor workspaces.
const packages = lockedPackages();
const shipped = shippedPackages(packages);
const kept = new Set(shipped.map((path) => `${path.split('node_modules/').at(-1)}@${packages[path].version}`));
const isLeft = ({ name, version }) => !kept.has(`${name}@${version}`);
const left = new Set(document.components.filter(isLeft).map((component) => component['bom-ref']));
document.components = document.components.filter((component) => !left.has(component['bom-ref']));
for (const { name, version, properties = [] } of document.components) {
  const at = properties.findIndex(({ name }) => name === 'cdx:npm:package:development');
  if (at >= 0 && kept.has(`${name}@${version}`)) properties.splice(at, 1);
}
document.dependencies = document.dependencies
  .filter(({ ref }) => !left.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => !left.has(other)) }));
// npm gives the name of the folder.
document.metadata.component.name = 'willcall';
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
