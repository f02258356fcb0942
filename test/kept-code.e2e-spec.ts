import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.js';

const root = resolve(import.meta.dirname, '..');

type Ran = Readonly<{ said: string; isFromKeptCode: boolean }>;

describe('the compiled code of a program', () => {
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder('kept-code');
    copyFileSync(join(root, 'tools/program-loader.cjs'), join(folder, 'load.cjs'));
    writeProgram('one');
    run({ keep: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const writeProgram = (word: string) =>
    writeFileSync(join(folder, 'program.js'), `(function (exports) { exports.say = () => '${word}'; })`);
  const codeFile = () => join(folder, 'program.js.code');

  /** Runs the program in a process of its own. */
  function run({ flags = [], keep = false }: { flags?: string[]; keep?: boolean } = {}): Ran {
    const script = `
      const { load, keepCode, filesLoaded } = require('./load.cjs');
      const said = load('./program.js').say();
      ${keep ? `keepCode('./program.js');` : ''}
      console.log(JSON.stringify({ said, isFromKeptCode: filesLoaded()[0].isFromKeptCode }));`;
    return JSON.parse(
      execFileSync(process.execPath, [...flags, '-e', script], { cwd: folder, encoding: 'utf8' }),
    ) as Ran;
  }

  it('is used', () => {
    expect(run()).toEqual({ said: 'one', isFromKeptCode: true });
  });

  it('is not that of an earlier source, also if both are of the same length', () => {
    writeProgram('two');
    expect(run()).toEqual({ said: 'two', isFromKeptCode: false });
  });

  it('is not used if it is damaged at any place, or cut off', () => {
    const whole = readFileSync(codeFile());
    for (let place = 0; place < whole.length; place += Math.ceil(whole.length / 8)) {
      const damaged = Buffer.from(whole);
      damaged[place] = (damaged[place] ?? 0) ^ 1;
      writeFileSync(codeFile(), damaged);
      expect(run(), `byte ${place}`).toEqual({ said: 'one', isFromKeptCode: false });
    }
    for (const length of [0, 10, 32, whole.length - 1]) {
      writeFileSync(codeFile(), whole.subarray(0, length));
      expect(run(), `${length} bytes`).toEqual({ said: 'one', isFromKeptCode: false });
    }
  });

  it('is read and forgotten, as the source is', () => {
    const size = 2_000_000;
    writeProgram(`one' + '${'x'.repeat(size)}'.slice(${size}) + '`);
    run({ keep: true });
    const script = `
      const { load } = require('./load.cjs');
      load('./program.js');
      // V8 gives the memory back some time after a collection.
      (function wait(tries) {
        gc();
        const { arrayBuffers } = process.memoryUsage();
        if (arrayBuffers < ${size} || tries === 0) console.log(arrayBuffers);
        else setTimeout(wait, 20, tries - 1);
      })(100);`;
    const bytes = execFileSync(process.execPath, ['--expose-gc', '-e', script], { cwd: folder, encoding: 'utf8' });
    expect(Number(bytes)).toBeLessThan(size);
  });

  it('is not used if V8 runs with other flags, or if there is none', () => {
    expect(run({ flags: ['--no-opt'] })).toEqual({ said: 'one', isFromKeptCode: false });
    rmSync(codeFile());
    expect(run()).toEqual({ said: 'one', isFromKeptCode: false });
  });
});

describe('the text of a program', () => {
  it('needs one byte for each character', () => {
    const programs = join(root, 'dist/programs');
    const files = readdirSync(programs).filter((name) => name.endsWith('.js'));
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((name) => /[^\0-\xff]/.test(readFileSync(join(programs, name), 'utf8')))).toEqual([]);
  });
});
