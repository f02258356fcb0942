import { describe, expect, it } from 'vitest';
import { terminalLines } from './terminal-lines.js';

const entry = { level: 'info', time: '2026-11-22T12:00:00.000Z', process: 'api', status: 201, message: 'request' };
const line = (fields: object, colour = false) => terminalLines(colour)(JSON.stringify({ ...entry, ...fields }));

describe('a log line on a terminal', () => {
  it('is one line with time, level, process, message and fields', () => {
    expect(line({})).toMatch(/^\[\d\d:\d\d:00\.000\] INFO: api request \{"status":201\}\n$/);
  });

  it('is coloured if the terminal has colours', () => {
    expect(line({}, true)).toContain('\u001b[32mINFO\u001b[39m');
  });

  it('stays one line with a stack', () => {
    const text = line({ stack: '    at one (a.ts:1)\n    at two (b.ts:2)' });
    expect(text.match(/\n/g)).toHaveLength(1);
    expect(text).toContain('at one (a.ts:1) | at two (b.ts:2)');
  });

  it('shows control characters from outside instead of executing them', () => {
    const bad = '\u001b[2J\u009b31m\r\b\u0007\u007f\u202e\nINFO: forged';
    for (const name of ['message', 'path', 'name', 'hostname', 'caller', 'err', 'process']) {
      const text = line({ [name]: bad, [bad]: 1, deep: [{ text: bad }] });
      expect(text.slice(0, -1), name).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(text, name).toContain('<U+001B>[2J<U+009B>31m');
    }
  });
});
