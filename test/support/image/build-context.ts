import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Rule = Readonly<{ lets: boolean; pattern: RegExp }>;

/** Copies what .dockerignore lets through, as a builder gets it. */
export function copyBuildContext(repository: string, to: string): void {
  const rules = readFileSync(join(repository, '.dockerignore'), 'utf8').split('\n').filter(isRule).map(ruleOf);
  for (const path of filesBelow(repository, '', rules)) cpSync(join(repository, path), join(to, path));
}

const isRule = (line: string) => line.trim() !== '' && !line.startsWith('#');

/** A pattern also matches everything below what it names. The last one that matches decides. */
function ruleOf(line: string): Rule {
  const lets = line.startsWith('!');
  const words = line
    .replace(/^!?\/?/, '')
    .trim()
    .split(/(\*\*\/|\*\*|\*|\?)/);
  const pattern = words.map((word) => WILDCARDS[word] ?? word.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')).join('');
  return { lets, pattern: new RegExp(`^${pattern}(/.*)?$`) };
}

const WILDCARDS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

function filesBelow(repository: string, folder: string, rules: readonly Rule[]): string[] {
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    // They are large, and no rule lets anything of them through.
    if (path === 'node_modules' || path === '.git') return [];
    if (entry.isDirectory()) return filesBelow(repository, path, rules);
    return rules.findLast(({ pattern }) => pattern.test(path))?.lets === false ? [] : [path];
  });
}
