import { TextDecoder } from 'node:util';

/** The file is something else than the text it should be. The message completes "this file …". */
export class UnreadableFile extends Error {}

// Enough to tell what a file is. A NUL in every second byte of it is UTF-16.
const LOOKED_AT_BYTES = 512;

// Behind the mark, separators and names of columns are enough. Garbage may begin like a mark.
const SOME = 0.05;
const MANY = 0.4;

const FORMATS: readonly (readonly [begin: string, name: string])[] = [
  ['504b0304', 'is an Excel workbook or a ZIP archive: save it as CSV'],
  ['d0cf11e0a1b11ae1', 'is an Excel workbook: save it as CSV'],
  ['1f8b', 'is compressed with gzip: unpack it'],
  ['25504446', 'is a PDF'],
  ['fffe0000', 'is UTF-32: save it as UTF-8'],
  ['0000feff', 'is UTF-32: save it as UTF-8'],
];

/**
 * The text of a file as UTF-8, whatever pieces it comes in. UTF-16 is known by its byte order mark. Holds one piece in memory.
 * @throws UnreadableFile
 */
export async function* utf8Chunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begin: Uint8Array | undefined = new Uint8Array();
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    if (!begin) {
      yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
      continue;
    }
    begin = Buffer.concat([begin, chunk]);
    if (begin.length < LOOKED_AT_BYTES) continue;
    decoder = decoderOf(begin);
    yield decoder ? Buffer.from(decoder.decode(begin, { stream: true })) : begin;
    begin = undefined;
  }
  if (begin) {
    decoder = decoderOf(begin);
    if (!decoder) yield begin;
  }
  if (decoder) yield Buffer.from(decoder.decode(begin));
}

/** Undefined for what may be UTF-8. */
function decoderOf(all: Uint8Array): TextDecoder | undefined {
  const begin = all.subarray(0, LOOKED_AT_BYTES);
  const hex = Buffer.from(begin.subarray(0, 8)).toString('hex');
  const [, format] = FORMATS.find(([known]) => hex.startsWith(known)) ?? [];
  if (format !== undefined) throw new UnreadableFile(format);
  const [atEven, atOdd] = [0, 1].map((parity) => shareOfNul(begin, parity)) as [number, number];
  if (hex.startsWith('fffe') && atOdd > SOME) return new TextDecoder('utf-16le');
  if (hex.startsWith('feff') && atEven > SOME) return new TextDecoder('utf-16be');
  if (atEven > MANY || atOdd > MANY) throw new UnreadableFile('is UTF-16 without a mark: save it as UTF-8');
  return undefined;
}

function shareOfNul(bytes: Uint8Array, parity: number): number {
  const every = bytes.filter((_, index) => index % 2 === parity);
  return every.filter((byte) => byte === 0).length / Math.max(every.length, 1);
}
