// Prints a bill of materials of the production dependencies (CycloneDX) from package-lock.json. Needs only npm.
// `npm sbom --omit=dev` would leave out production packages that a development package uses too.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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
// Decided by the lock, because npm marks a package as one for development if any of its copies is.
const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const locked = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
const kept = new Set(locked.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`));
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
