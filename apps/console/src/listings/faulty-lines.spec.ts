import { expect, it } from 'vitest';
import { faultyLines } from './faulty-lines.js';

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
