import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { type JsonValue, yamlText } from './yaml-text.js';

it.each<[JsonValue]>([
  ['text'],
  [null],
  [[]],
  [{}],
  [{ a: {}, b: [], c: null, d: false, e: 0.5, f: '' }],
  [{ on: 'on', null: 'null', '200': '200', 'a b': 'x: y', '/e/{id}': '# no comment', $ref: '#/a', '': '' }],
  [
    {
      list: ['- a', 'b\nc', '  d  ', '"e"', "'f'", '\u0000\u2028\t', '{g}', '[h]', '*i', '&j', '!k', '%l', '@m', '`n`'],
    },
  ],
  [[[1, [2, [3]]], [{ a: [{ b: 1, c: [[]] }, { d: {} }] }], [[]], [{}]]],
  [{ deep: { deeper: { deepest: [{ x: 1, y: { z: ['1', 'true', '~', 'no'] } }] } } }],
])('YAML of %j is read as the same', (value) => {
  for (const version of ['1.1', '1.2'] as const) expect(parse(yamlText(value), { version })).toEqual(value);
});
