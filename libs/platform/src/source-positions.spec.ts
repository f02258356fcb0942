import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { showSourcePositions } from './source-positions.js';

const SOURCE = `
type Removed = { a: number;
  b: number };

export async function outer(): Promise<void> {
  await Promise.resolve(); await inner();
}
async function inner() { throw new RangeError('too far'); }
export const odd = () => { const error = new Error(); Object.defineProperty(error, 'name', { get: () => { throw 1; } }); throw error; };
`;

const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
let folder: string;

beforeEach(() => {
  folder = temporaryFolder('stacks');
  showSourcePositions();
});
afterEach(() => {
  if (before) Object.defineProperty(Error, 'prepareStackTrace', before);
  else Reflect.deleteProperty(Error, 'prepareStackTrace');
});

type Compiled = { outer: () => Promise<void>; odd: () => void };

async function compiled(name: string, map: (text: string) => string | undefined): Promise<Compiled> {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, sourceMap: true };
  const { outputText, sourceMapText = '' } = ts.transpileModule(SOURCE, {
    fileName: 'source.ts',
    compilerOptions: options,
  });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, outputText);
  const text = map(sourceMapText);
  if (text !== undefined) writeFileSync(`${file}.map`, text);
  // Vitest would transform the file, but not what Node.js imports from here.
  writeFileSync(join(folder, 'import.cjs'), 'module.exports = (url) => import(url);');
  const importedByNode = createRequire(import.meta.url)(join(folder, 'import.cjs')) as (
    url: string,
  ) => Promise<Compiled>;
  return await importedByNode(pathToFileURL(file).href);
}

async function stackOf(run: () => unknown): Promise<string[]> {
  try {
    await run();
  } catch (error) {
    return String((error as Error).stack).split('\n');
  }
  return [];
}

describe('a stack', () => {
  it('names the lines and columns of the sources', async () => {
    const { outer } = await compiled('mapped', (text) => text);
    const [head, first, second] = await stackOf(outer);
    expect(head).toBe('RangeError: too far');
    expect(first).toBe(`    at inner (${join(folder, 'source.ts')}:8:32)`);
    expect(second).toBe(`    at outer (${join(folder, 'source.ts')}:6:34)`);
  });

  it.each([
    ['has no source map', undefined],
    ['has a damaged source map', '{'],
    ['has a source map that ends early', '{"sources":[],"mappings":""}'],
  ])('names the file itself if it %s', async (_, text) => {
    const { outer } = await compiled(`unmapped-${text?.length}`, () => text);
    const [head, first] = await stackOf(outer);
    expect(head).toBe('RangeError: too far');
    expect(first).toMatch(/at inner \(file:.+unmapped.+\.mjs:\d+:\d+\)$/);
  });

  it('exists even if the error has no readable name', async () => {
    const { odd } = await compiled('odd', (text) => text);
    const [head, first] = await stackOf(odd);
    expect(head).toBe('<error>');
    expect(first).toContain('source.ts:9');
  });
});
