import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../../..');

/** The newest tag. Undefined if there is none here, as in a shallow clone. */
export function newestTag(): string | undefined {
  try {
    const options = { cwd: repository, encoding: 'utf8' as const };
    return execFileSync('git', ['describe', '--tags', '--abbrev=0'], { ...options, stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

/** Builds the programs of another commit in the folder. Returns the folder with them. Packages are installed only if they differ. */
export function buildRelease(ref: string, folder: string): string {
  mkdirSync(folder);
  const archive = join(folder, 'source.tar');
  execFileSync('git', ['archive', '--output', archive, ref], { cwd: repository });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(repository) && existsSync(join(repository, 'node_modules'))) {
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  }
  execFileSync(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: folder, stdio: 'inherit' });
  return join(folder, 'dist/programs');
}

// Without the console, which only people use.
const BUILD = `
  const { install } = await import('./tools/install.mjs');
  install({ checks: false });
  const { compile } = await import('./tools/compile.mjs');
  await compile();
  const { bundle } = await import('./tools/bundle.mjs');
  await bundle('programs');`;
