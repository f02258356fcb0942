import { expect, it } from 'vitest';
import { faultyLines, linesAt } from './faulty-lines.js';

const file = (type: string, ...lines: string[]) => ({ name: 'x', content: new Blob([], { type }), lines });

it.each([
  [
    'a CSV file, with its header',
    file('text/csv', 'id,price', 'a,1', 'b,x', 'c,y', ''),
    [3, 4],
    'id,price\r\nb,x\r\nc,y\r\n',
  ],
  ['cells of several lines', file('text/csv', 'id,note', 'a,"one', 'two"', 'b,x'), [2], 'id,note\r\na,"one\ntwo"\r\n'],
  ['JSON lines', file('application/x-ndjson', '{"a":1}', '{"b":"'), [1], '{"a":1}\r\n'],
])('takes the faulty lines of %s', (_, given, at, text) => {
  expect(faultyLines(given, at)).toBe(text);
});

it('a line of JSON is one record, whatever its quotes are', () => {
  const given = file('application/x-ndjson', '{"a":"', '{"b":1}');
  expect(faultyLines(given, [1])).toBe('{"a":"\r\n');
});

it.each([
  ['the last one without an end', 'a\nb\nc', [1, 3], ['a', undefined, 'c']],
  ['those that end with CR LF', 'a\r\nb\r\n', [2], [undefined, 'b']],
  ['none', 'a\nb', [], []],
  ['one after many others', `${'x'.repeat(100)}\n`.repeat(5_000) + 'last', [5_001], [...Array(5_000), 'last']],
])('lines of a large file are read: %s', async (_, text, at, expected) => {
  const found = await linesAt(new Blob([text]), at);
  expect(Array.from(found)).toEqual(expected);
});
