import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { inAscii, LineBuffer } from './logger.js';

let file: string;
let exitListeners: NodeJS.ExitListener[];

beforeEach(() => {
  file = join(temporaryFolder('log'), 'lines');
  exitListeners = process.listeners('exit');
});

afterEach(() => {
  for (const listener of process.listeners('exit')) {
    if (!exitListeners.includes(listener)) process.removeListener('exit', listener);
  }
});

const written = () => readFileSync(file, 'utf8');

it('writes the lines of a turn of the event loop at its end, in their order', async () => {
  const lines = new LineBuffer(file);
  lines.write('first\n');
  lines.write('second\n');
  expect(written()).toBe('');
  await new Promise((resolve) => setImmediate(resolve));
  expect(written()).toBe('first\nsecond\n');
  lines.write('third\n');
  await new Promise((resolve) => setImmediate(resolve));
  expect(written()).toBe('first\nsecond\nthird\n');
});

it('writes everything when the process ends in the middle of a turn', () => {
  new LineBuffer(file).write('last words\n');
  const [flush] = process.listeners('exit').filter((listener) => !exitListeners.includes(listener));
  flush?.(1);
  expect(written()).toBe('last words\n');
});

it('escapes everything but printable ASCII, as in JSON', () => {
  const fields = { transaction_id: 'caf\u00e9 \u009b31m \u007f \ud83c\udf9f', path: '/2/events' };
  const line = inAscii(`${JSON.stringify(fields)}\n`);
  expect(line).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(line)).toEqual(fields);
});
