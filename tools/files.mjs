// Questions about files that the scripts of this folder ask. Paths are relative to the repository's root.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

export const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** Empty if there is no such file. */
export const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

export function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : path;
  });
}

/** Changes if one of the files does: by names, times and sizes, because to read them all would take longer than a start may. */
export function hashOfFiles(files, ...others) {
  const lines = files.map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${file} ${mtimeMs} ${size}`;
  });
  return sha256([...lines, ...others].join('\n'));
}
