import { signedPath } from '#base/signature';

/** Never quotes the request line. */
export type PathError =
  | 'longer than 2 KiB'
  | 'not a path'
  | 'control byte'
  | 'byte beyond ASCII'
  | 'fragment'
  | 'backslash'
  | 'empty segment'
  | 'dot segment'
  | 'broken percent encoding'
  | 'percent encoding that changes the path';

const LONGEST_PATH = 2048;
const FIRST_PRINTABLE = 0x21;
const DELETE = 0x7f;

/**
 * Encodings that a router or a proxy might decode to a different path: letters, digits, '.', '/', '\' and control bytes, even if encoded
 * several times. Still allowed are an encoded space, ':', '%', UTF-8, and characters that strict encoders encode, such as '~'. `ListingId`
 * has the same rule.
 */
const MISLEADING_ENCODING = /%(?:25)*(?:[01][0-9a-f]|2[ef]|3[0-9]|4[1-9a-f]|5[0-9ac]|6[1-9a-f]|7[0-9af])/i;

/** Call this before checking the signature. Any other path is routed exactly as signed: nothing can turn it into a different one. */
export function checkPath(rawUrl: string): PathError | undefined {
  const path = signedPath(rawUrl);
  if (path.length > LONGEST_PATH) return 'longer than 2 KiB';
  if (!path.startsWith('/')) return 'not a path';
  return checkBytes(rawUrl, path.length) ?? checkSegments(path) ?? checkEncodings(path);
}

function checkBytes(rawUrl: string, pathLength: number): PathError | undefined {
  for (let index = 0; index < rawUrl.length; index += 1) {
    const byte = rawUrl.charCodeAt(index);
    if (byte < FIRST_PRINTABLE || byte === DELETE) return 'control byte';
    if (byte > DELETE && index < pathLength) return 'byte beyond ASCII';
  }
  return undefined;
}

function checkSegments(path: string): PathError | undefined {
  // Fastify's router cuts the path at '#', but the signature covers it.
  if (path.includes('#')) return 'fragment';
  if (path.includes('\\')) return 'backslash';
  if (path.includes('//')) return 'empty segment';
  return path.includes('/.') && /\/\.{1,2}(?:\/|$)/.test(path) ? 'dot segment' : undefined;
}

function checkEncodings(path: string): PathError | undefined {
  if (!path.includes('%')) return undefined;
  if (MISLEADING_ENCODING.test(path)) return 'percent encoding that changes the path';
  try {
    // Also fails on invalid UTF-8, such as overlong forms of '/'.
    decodeURIComponent(path);
    return undefined;
  } catch {
    return 'broken percent encoding';
  }
}
