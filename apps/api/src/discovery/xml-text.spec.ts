import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { elementName, type Json, xmlText } from './xml-text.js';

/** An element as a strict parser sees it: children in order, or text. */
type Element = { name: string; children: Element[]; text: string };

function parse(xml: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { name: '', children: [], text: '' };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    const element = { name, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const top = open.at(-1);
    if (top && open.length > 1) top.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root.children[0] ?? root;
}

/** What the XML of a value has to be read as, by the rules of the guide and not by the code under test. */
function expected(name: string, value: Json): Element[] {
  if (Array.isArray(value)) return (value as Json[]).flatMap((entry) => expected(name, entry));
  if (value === null) return [{ name, children: [], text: '' }];
  if (typeof value !== 'object') return [{ name, children: [], text: readable(String(value)) }];
  return [{ name, children: Object.entries(value).flatMap(([key, child]) => expected(key, child)), text: '' }];
}

const readable = (text: string) =>
  Array.from(text)
    .filter((character) => /[\t\n\r -\ud7ff\ue000-\ufffd]|[\u{10000}-\u{10ffff}]/u.test(character))
    .join('');

const unescaped = (name: string) =>
  name.replace(/_x([0-9A-F]{4,6})_/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

function withKeys({ name, children, text }: Element): Element {
  return { name: unescaped(name), children: children.map(withKeys), text };
}

describe('XML', () => {
  it('is named after the keys, with arrays repeated', () => {
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

  it('of any JSON is well-formed and says the same', () => {
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
        expect([withKeys(parse(xmlText(value)))]).toEqual(expected('response', value));
      }),
    );
  });
});
