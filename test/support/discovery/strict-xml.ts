import { SaxesParser } from 'saxes';
import type { Json } from '#discovery/routes/xml-text';

/** An element of a strict parser: children in order, or text. */
type Element = { name: string; children: Element[]; text: string };

/** The root of a document. Throws if the text is not well-formed. */
export function parseXml(xml: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const document: Element = { name: '', children: [], text: '' };
  const open = [document];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (Object.keys(attributes).length > 0) throw new Error(`${name} has attributes`);
    const element = { name: keyOf(name), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const top = open.at(-1);
    if (top && open.length > 1) top.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  const [root] = document.children;
  if (!root) throw new Error('There is no element.');
  return root;
}

/** The elements that the guide demands for a JSON value. Does not use the code under test. */
export function elementsOf(name: string, value: Json): Element[] {
  if (Array.isArray(value)) return (value as Json[]).flatMap((entry) => elementsOf(name, entry));
  if (value === null) return [{ name, children: [], text: '' }];
  if (typeof value !== 'object') return [{ name, children: [], text: readable(String(value)) }];
  const children = Object.entries(value).flatMap(([key, child]) => elementsOf(key, child));
  return [{ name, children, text: '' }];
}

/** The JSON key of an element name. */
function keyOf(name: string): string {
  return name.replace(/_x([0-9A-F]{4,6})_/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** The text without characters that XML does not allow. */
function readable(text: string): string {
  const isReadable = (character: string) => /[\t\n\r -\ud7ff\ue000-\ufffd]|[\u{10000}-\u{10ffff}]/u.test(character);
  return Array.from(text).filter(isReadable).join('');
}
