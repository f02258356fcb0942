import type { SpooledFile } from './spooled-file.js';

/** The bytes of a file, wherever they are. */
export type FileBytes = Pick<SpooledFile, 'size' | 'bytesAt'>;

// Phones show larger ones with difficulty, and a small file can hold a picture that fills the memory of whoever opens it.
const MOST_PIXELS = 50_000_000;
// Far more than any program writes, so that a file of tiny ones takes no time.
const MOST_SEGMENTS = 200_000;
const WINDOW_BYTES = 64 * 1024;

/** Beginnings of files that somebody could hide behind a picture. */
const OTHER_FILES = ['PK\x03\x04', 'PK\x05\x06', '%PDF-', 'Rar!\x1a\x07', '7z\xbc\xaf', '\x7fELF'];
const MARKUP = /<(?:!doctype|html|head|body|script|svg|iframe|hta:|\?php|\?xml)/i;
const LONGEST_MARK = 10;

/** What is wrong with a PNG. Bytes after its end do no harm, unless they are another file. */
export async function pngIssue(file: FileBytes): Promise<string | undefined> {
  const bytesAt = windowOf(file);
  const first = await bytesAt(8, 16);
  if (first.length < 16 || first.toString('latin1', 4, 8) !== 'IHDR') return BROKEN;
  if (!isPicture(first.readUInt32BE(8), first.readUInt32BE(12))) return BROKEN;
  let at = 8;
  for (let chunks = 0; chunks < MOST_SEGMENTS; chunks += 1) {
    const chunk = await bytesAt(at, 8);
    if (chunk.length < 8) return BROKEN;
    at += 12 + chunk.readUInt32BE(0);
    if (at > file.size) return BROKEN;
    if (chunk.toString('latin1', 4) === 'IEND') return (await hidesFile(file, at)) ? 'hides another file' : undefined;
  }
  return BROKEN;
}

/** What is wrong with a JPEG. Its size comes after its metadata, which may be long. */
export async function jpegIssue(file: FileBytes): Promise<string | undefined> {
  const bytesAt = windowOf(file);
  let at = 2;
  for (let segments = 0; segments < MOST_SEGMENTS; segments += 1) {
    const segment = await bytesAt(at, 9);
    const marker = segment[1] ?? 0;
    if (segment.length < 9 || segment[0] !== 0xff) return BROKEN;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return isPicture(segment.readUInt16BE(7), segment.readUInt16BE(5)) ? undefined : BROKEN;
    // Any number of 0xff may stand before a marker.
    at += marker === 0xff ? 1 : 2 + segment.readUInt16BE(2);
  }
  return BROKEN;
}

const BROKEN = 'is too large, or broken';

function isPicture(width: number, height: number): boolean {
  return width > 0 && height > 0 && width * height <= MOST_PIXELS;
}

async function hidesFile(file: FileBytes, from: number): Promise<boolean> {
  let rest = '';
  for (let at = from; at < file.size; at += WINDOW_BYTES) {
    const text = rest + (await file.bytesAt(at, WINDOW_BYTES)).toString('latin1');
    if (OTHER_FILES.some((mark) => text.includes(mark)) || MARKUP.test(text)) return true;
    rest = text.slice(-LONGEST_MARK);
  }
  return false;
}

/** Small pieces, of which one read gets many. */
function windowOf(file: FileBytes): FileBytes['bytesAt'] {
  let from = 0;
  let bytes: Buffer = Buffer.alloc(0);
  return async (at, length) => {
    if (at < from || at + length > from + bytes.length) [from, bytes] = [at, await file.bytesAt(at, WINDOW_BYTES)];
    return bytes.subarray(at - from, at - from + length);
  };
}
