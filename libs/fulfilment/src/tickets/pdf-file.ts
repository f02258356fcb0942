import { createInflate } from 'node:zlib';
import type { SpooledFile } from './spooled-file.js';

type FileBytes = Pick<SpooledFile, 'size' | 'bytesAt'>;

/** What makes a PDF do something, or carry another file. Long enough that no compressed picture has one by chance. */
const ACTIVE: readonly (readonly [RegExp, string])[] = [
  [name('JavaScript'), 'has a script'],
  [name('Rendition|RichMedia'), 'has active media'],
  [name('Launch|ImportData|SubmitForm|GoToE'), 'has an action that reaches beyond it'],
  // Most programs write where a document opens. Anything else than that has no place in a ticket.
  [/\/OpenAction\s*<<(?![^>]*\/S\s*\/GoTo\b)/, 'does something when it is opened'],
  [name('EmbeddedFiles?'), 'carries another file'],
  [name('Encrypt'), 'is encrypted, so that it cannot be checked'],
];
/** These are short, and looked for outside of the data of streams only. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\/JS\s*(?:\(|<|\d+\s+\d+\s+R)/, 'has a script'],
  [/\/XFA\s*(?:\[|\d+\s+\d+\s+R)/, 'has a form with scripts'],
];

const WINDOW_BYTES = 1024 * 1024;
// Longer than any name, and than the dictionary of a stream of objects.
const OVERLAP_BYTES = 64 * 1024;
const KEYWORD_BYTES = 'stream\r\n'.length;
const CHUNK_BYTES = 64 * 1024;
// Objects are text: a thousand pages have less.
const MOST_UNPACKED_BYTES = 32 * 1024 * 1024;

/**
 * What is wrong with a PDF. Undefined if it is only pages. Not the whole grammar: whatever could be an object is looked at, also in streams
 * that pack objects, and what cannot be unpacked is refused.
 */
export async function pdfIssue(file: FileBytes): Promise<string | undefined> {
  let left = MOST_UNPACKED_BYTES;
  for (let at = 0; at < file.size; at += WINDOW_BYTES) {
    const from = Math.max(0, at - OVERLAP_BYTES);
    const text = (await file.bytesAt(from, at + WINDOW_BYTES + KEYWORD_BYTES - from)).toString('latin1');
    const issue = issueIn(text, ACTIVE) ?? issueIn(withoutData(text), SHORT);
    if (issue !== undefined) return issue;
    for (const { index, 0: keyword } of text.matchAll(/(?<!end)stream(?:\r\n|\n|\r)/g)) {
      const isOfThis = from + index >= at && from + index < at + WINDOW_BYTES;
      const packing = !isOfThis ? 'none' : packingOf(text.slice(Math.max(0, index - OVERLAP_BYTES), index));
      if (packing === 'unknown') return UNREADABLE;
      if (packing === 'none') continue;
      const objects = await unpacked(file, from + index + keyword.length, left);
      if (objects === undefined) return UNREADABLE;
      left -= objects.length;
      const hidden = issueIn(objects, [...ACTIVE, ...SHORT]);
      if (hidden !== undefined) return hidden;
    }
  }
  return undefined;
}

const UNREADABLE = 'packs its objects so that they cannot be checked';

function name(names: string): RegExp {
  return new RegExp(`/(?:${names})(?![\\w#])`);
}

function issueIn(text: string, of: typeof ACTIVE): string | undefined {
  const plain = unescaped(text);
  return of.find(([pattern]) => pattern.test(plain))?.[1];
}

/** Every letter of a name may be written as its number: `/J#61vaScript`. */
const unescaped = (text: string): string =>
  text.replaceAll(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Without the data of streams, which is compressed and has any bytes. */
const withoutData = (text: string): string => text.replaceAll(/stream[\r\n][^]*?(?:endstream|$)/g, ' ');

/**
 * How the stream after a dictionary packs objects. Readers know such a stream by its `/First`, whatever type it states.
 * @param before the text before the keyword `stream`
 */
function packingOf(before: string): 'none' | 'deflate' | 'unknown' {
  const plain = unescaped(before.replaceAll(/\((?:\\[^]|[^\\()])*\)|%[^\r\n]*/g, ' '));
  const start = plain.lastIndexOf(' obj');
  const dictionary = plain.slice(Math.max(start, plain.lastIndexOf('\nobj')));
  if (!/\/(?:ObjStm|First)(?!\w)/.test(dictionary)) return 'none';
  const filters = dictionary.match(/\/\w+Decode\b|\/(?:A85|AHx|LZW|RL|Fl|Crypt)\b/g) ?? [];
  const isKnown = filters.every((filter) => filter === '/FlateDecode' || filter === '/Fl') && filters.length < 2;
  if (!isKnown || /\/Predictor\b|\/Filter\s+\d/.test(dictionary)) return 'unknown';
  // Without a filter the objects are in the text itself.
  return filters.length === 0 ? 'none' : 'deflate';
}

/** Undefined if it is broken, or more than `most` bytes. */
async function unpacked(file: FileBytes, from: number, most: number): Promise<string | undefined> {
  const inflate = createInflate();
  const parts: Buffer[] = [];
  let size = 0;
  const done = new Promise<boolean>((resolve) => {
    inflate.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size > most) inflate.destroy();
    });
    inflate.once('end', () => resolve(true));
    inflate.once('error', () => resolve(false));
    inflate.once('close', () => resolve(false));
  });
  let isOver = false;
  void done.then(() => (isOver = true));
  for (let at = from; at < file.size && !isOver && !inflate.destroyed; at += CHUNK_BYTES) {
    const chunk = await file.bytesAt(at, CHUNK_BYTES);
    // A broken stream calls nobody back.
    await Promise.race([done, new Promise<void>((written) => inflate.write(chunk, () => written()))]);
  }
  if (!inflate.destroyed) inflate.end();
  return (await done) ? Buffer.concat(parts).toString('latin1') : undefined;
}
