import { extname } from 'node:path';
import type { TicketFileType } from '#domain/order-events';

/** What the first and last bytes of a file are. A pass (pkpass) is a ZIP archive, which `pass-archive.ts` looks into. */
export type FileEnds = Readonly<{ head: Buffer; tail: Buffer }>;

/** What the sender says about a file. */
export type FileClaims = Readonly<{ name: string; mediaType: string }>;

const PDF = Buffer.from('%PDF-');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const ZIP = Buffer.from('PK\x03\x04');

const TYPE_OF_EXTENSION: Readonly<Record<string, TicketFileType>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  jfif: 'image/jpeg',
  pkpass: 'application/vnd.apple.pkpass',
};

/** Other files that people exchange, and what a computer runs. Anything else after a full stop is a part of the name: `Sec. 104`, `St.Louis`. */
const OTHER_EXTENSIONS = new Set(
  `7z app apk avi avif bat bin bmp bz2 cab cgi chm class cmd com command cpl css csv deb desktop dll dmg doc docm docx dot eml eps epub
  exe fon gif gz heic heif hta htm html ico img inf ins iso jar js jse json lnk md mht mhtml mjs mov mp3 mp4 mpeg msc msg msi msp odp ods
  odt ogg pages php pif pkg pl ppt pptm pptx ps ps1 psd py rar rb reg rpm rtf scf scr sh shs svg svgz swf sys tar tgz tif tiff ts txt url
  vb vbe vbs wasm wav webm webp wmf wsc wsf wsh xhtml xls xlsb xlsm xlsx xml xps zip`.split(/\s+/),
);

/** The types as programs call them. A pass is a ZIP archive. */
const NAMES: Readonly<Record<TicketFileType, RegExp>> = {
  'application/pdf': /^(?:applications?\/(?:(?:x-|vnd\.)?pdf|acrobat)|text\/(?:x-)?pdf)$/,
  'image/png': /^image\/(?:x-|a)?png$/,
  'image/jpeg': /^image\/(?:x-)?(?:p?jpe?g|jfif)$/,
  'application/vnd.apple.pkpass': /^application\/(?:(?:vnd\.|x-)?apple\.?-?pkpass|(?:x-)?zip(?:-compressed)?)$/,
};

/** Clients send these for a file whose type they do not know. A part without a type is `text/plain` (RFC 7578, 4.4). */
const SAYS_NOTHING =
  /^(?:|\*\/\*|text\/plain|unknown(?:\/unknown)?|(?:application|binary)\/(?:x-)?(?:octet-?stream|binary|unknown|(?:force-)?download))$/;

/** The type that the content begins as. Undefined for a file that is no ticket, and a PDF that is cut off. */
export function sniffedType({ head, tail }: FileEnds): TicketFileType | undefined {
  if (startsWith(head, PDF)) return tail.includes('%%EOF') ? 'application/pdf' : undefined;
  if (startsWith(head, PNG)) return 'image/png';
  if (startsWith(head, JPEG)) return 'image/jpeg';
  if (startsWith(head, ZIP)) return 'application/vnd.apple.pkpass';
  return undefined;
}

/** Whether neither name nor media type says that it is something else. */
export function agrees(type: TicketFileType, { name, mediaType }: FileClaims): boolean {
  const said = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (SAYS_NOTHING.test(said) || NAMES[type].test(said)) && isNamedSo(type, name);
}

function isNamedSo(type: TicketFileType, name: string): boolean {
  // Windows leaves out what is blank at the end of a name.
  const extension = extname(name.replace(/[\s.]+$/u, ''))
    .slice(1)
    .toLowerCase();
  const meant = TYPE_OF_EXTENSION[extension];
  return meant === undefined ? !OTHER_EXTENSIONS.has(extension) : meant === type;
}

function startsWith(head: Buffer, start: Buffer): boolean {
  return head.subarray(0, start.length).equals(start);
}

const LONGEST_NAME = 200;

/** What is wrong with the name of an uploaded file. Undefined if it is a plain name. */
export function fileNameIssue(name: string): string | undefined {
  if (name.length === 0 || name.length > LONGEST_NAME) return `must have 1 to ${LONGEST_NAME} characters`;
  // A path would be stripped by some clients and obeyed by others. `C:seat.pdf` is one, `7:30pm.pdf` is none.
  if (/[/\\]|^[a-z]:/i.test(name) || /^\.+$/.test(name)) return 'must be a name without a path';
  // Directions of writing can hide an extension.
  if (/[\p{Cc}\p{Surrogate}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name))
    return 'must not have control characters';
  return undefined;
}
