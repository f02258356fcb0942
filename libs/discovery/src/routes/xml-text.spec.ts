import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsOf, parseXml } from '../../../../test/support/discovery/strict-xml.js';
import { elementName, type Json, xmlText } from './xml-text.js';

describe('XML', () => {
  it('has the names of the keys, with repeated elements for arrays', () => {
    const value = { events: [{ id: 1, tags: ['a', 'b'], none: [], nil: null, ok: true }, { id: 2 }], empty: '' };
    expect(xmlText(value)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<response><events><id>1</id><tags>a</tags><tags>b</tags><nil/>' +
        '<ok>true</ok></events><events><id>2</id></events><empty/></response>',
    );
  });

  it.each([
    ['huge', 'huge'],
    ['1200x525', '_x0031_200x525'],
    ['a b', 'a_x0020_b'],
    ['a:b', 'a_x003A_b'],
    ['_x0031_', '_x005F_x0031_'],
    ['criteo_130_160', 'criteo_130_160'],
    ['é', '_x00E9_'],
    ['#text', '_x0023_text'],
    ['-a', '_x002D_a'],
  ])('has %s as %s', (key, name) => expect(elementName(key)).toBe(name));

  it('of any JSON is well-formed and has the same content', () => {
    const text = fc.string({ unit: 'binary' });
    const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.string({ unit: 'binary', minLength: 1 }), tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', '1x', '__proto__', '_x0041_'), json), (value) => {
        expect([parseXml(xmlText(value))]).toEqual(elementsOf('response', value));
      }),
    );
  });
});
