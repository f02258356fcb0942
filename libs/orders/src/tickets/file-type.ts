import { extname } from 'node:path';
import type { TicketFileType } from '#domain/order/order-events';

/** What the first and last bytes of a file are. A pass (pkpass) is a ZIP archive, which `pass-archive.ts` looks into. */
export type FileEnds = Readonly<{ head: Buffer; tail: Buffer }>;

/** What the sender says about a file. */
export type FileClaims = Readonly<{ name: string; mediaType: string }>;

const PDF = Buffer.from('%PDF-');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_END = Buffer.from('IEND\xaeB`\x82', 'latin1');
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const ZIP = Buffer.from('PK\x03\x04');

const TYPE_OF_EXTENSION: Readonly<Record<string, TicketFileType>> = {
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.pkpass': 'application/vnd.apple.pkpass',
};

/** Clients send this for a file whose type they do not know. */
const ANY_TYPE = 'application/octet-stream';

/** The type that the content shows. Undefined for a file that is no ticket, or that is cut off. */
export function sniffedType({ head, tail }: FileEnds): TicketFileType | undefined {
  if (startsWith(head, PDF)) return tail.includes('%%EOF') ? 'application/pdf' : undefined;
  if (startsWith(head, PNG)) return tail.subarray(-PNG_END.length).equals(PNG_END) ? 'image/png' : undefined;
  if (startsWith(head, JPEG)) return 'image/jpeg';
  if (startsWith(head, ZIP)) return 'application/vnd.apple.pkpass';
  return undefined;
}

/** Whether name and media type say the same as the content. A name without an extension says nothing. */
export function agrees(type: TicketFileType, { name, mediaType }: FileClaims): boolean {
  const extension = extname(name).toLowerCase();
  const isNamedSo = extension === '' || TYPE_OF_EXTENSION[extension] === type;
  return isNamedSo && (mediaType === ANY_TYPE || mediaType === type);
}

// Phones show larger ones with difficulty, and a small file can hold a picture that fills the memory of whoever opens it.
const MOST_PIXELS = 50_000_000;

/** False for a picture that is too large or says nothing about its size. */
export function hasPictureSize(type: TicketFileType, head: Buffer): boolean {
  if (type === 'image/png') {
    return head.length >= 24 && isPicture(head.readUInt32BE(16), head.readUInt32BE(20));
  }
  return type === 'image/jpeg' ? hasJpegSize(head) : true;
}

/** Walks over the segments before the picture until the one with its size. */
function hasJpegSize(head: Buffer): boolean {
  for (let at = 2; at + 9 <= head.length && head[at] === 0xff;) {
    const marker = head[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return isPicture(head.readUInt16BE(at + 7), head.readUInt16BE(at + 5));
    at += 2 + head.readUInt16BE(at + 2);
  }
  return false;
}

function isPicture(width: number, height: number): boolean {
  return width > 0 && height > 0 && width * height <= MOST_PIXELS;
}

function startsWith(head: Buffer, start: Buffer): boolean {
  return head.subarray(0, start.length).equals(start);
}

const LONGEST_NAME = 200;

/** What is wrong with the name of an uploaded file. Undefined if it is a plain name. */
export function fileNameIssue(name: string): string | undefined {
  if (name.length === 0 || name.length > LONGEST_NAME) return `must have 1 to ${LONGEST_NAME} characters`;
  // A path would be stripped by some clients and obeyed by others.
  if (/[/\\:]/.test(name) || /^\.+$/.test(name)) return 'must be a name without a path';
  // Directions of writing can hide an extension.
  if (/[\p{Cc}\p{Surrogate}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name))
    return 'must not have control characters';
  return undefined;
}
