import { inflateSync } from 'node:zlib';

/** The text of a PDF that Willcall wrote, in the order in which it is written. Each piece of a line is a line of its own. */
export function pdfText(pdf: Buffer): string {
  const streams = [...streamsIn(pdf)].map((bytes) => bytes.toString('latin1'));
  const characters = new Map<string, string>();
  for (const stream of streams.filter((text) => text.includes('beginbfchar'))) {
    for (const [, glyph = '', unicode = ''] of stream.matchAll(/<(\w{4})> <(\w+)>/g)) {
      characters.set(glyph, textOf(unicode));
    }
  }
  const pieces = streams.flatMap((stream) => [...stream.matchAll(/\/(\w+) \S+ Tf <(\w*)> Tj/g)]);
  return pieces
    .map(([, font, hex = '']) => {
      return font === 'main' ? (hex.match(/.{4}/g) ?? []).map((glyph) => characters.get(glyph)).join('') : textOf(hex);
    })
    .join('\n');
}

/** The outlines that a PDF of Willcall fills, in points. */
export function filledOutlines(pdf: Buffer): (readonly [x: number, y: number])[][] {
  const drawn = [...streamsIn(pdf)].flatMap((bytes) => bytes.toString('latin1').match(/^0 g .* f\*$/gm) ?? []);
  const outlines = drawn.flatMap((line) => line.match(/[\d.]+ [\d.]+ m[^h]* h/g) ?? []);
  return outlines.map((text) =>
    [...text.matchAll(/([\d.]+) ([\d.]+) [ml]/g)].map(([, x, y]) => [Number(x), Number(y)] as const),
  );
}

const textOf = (utf16: string) => Buffer.from(utf16, 'hex').swap16().toString('utf16le');

function* streamsIn(pdf: Buffer): Generator<Buffer> {
  for (const { index, 0: head, 1: length } of pdf.toString('latin1').matchAll(/\/Length (\d+) [^>]*>>\nstream\n/g)) {
    const from = index + head.length;
    yield inflateSync(pdf.subarray(from, from + Number(length)));
  }
}
