import { signedPath } from './signature.js';

/** Why a request line is refused. Never quotes it. */
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
 * What a router or a proxy decodes to another path: letters, digits, '.', '/', '\' and control bytes, or any of them
 * encoded several times. An id may still hold an encoded space, ':' or UTF-8, what strict encoders encode, such as '~', and a
 * percent sign. `ListingId` has the same rule, so that every listing can be reached.
 */
const MISLEADING_ENCODING = /%(?:25)*(?:[01][0-9a-f]|2[ef]|3[0-9]|4[1-9a-f]|5[0-9ac]|6[1-9a-f]|7[0-9af])/i;

/**
 * The reason to refuse a request before its signature is looked at, or `undefined`. What passes is routed by the very
 * path that was signed: no router, proxy or later `decode` can read another one out of it.
 */
export function refusePath(rawUrl: string): PathError | undefined {
  const path = signedPath(rawUrl);
  if (path.length > LONGEST_PATH) return 'longer than 2 KiB';
  if (!path.startsWith('/')) return 'not a path';
  return refuseBytes(rawUrl, path.length) ?? refuseSegments(path) ?? refuseEncodings(path);
}

function refuseBytes(rawUrl: string, pathLength: number): PathError | undefined {
  for (let index = 0; index < rawUrl.length; index += 1) {
    const byte = rawUrl.charCodeAt(index);
    if (byte < FIRST_PRINTABLE || byte === DELETE) return 'control byte';
    if (byte > DELETE && index < pathLength) return 'byte beyond ASCII';
  }
  return undefined;
}

function refuseSegments(path: string): PathError | undefined {
  // Fastify's router ends the path at '#', the signature does not.
  if (path.includes('#')) return 'fragment';
  if (path.includes('\\')) return 'backslash';
  if (path.includes('//')) return 'empty segment';
  return path.includes('/.') && /\/\.{1,2}(?:\/|$)/.test(path) ? 'dot segment' : undefined;
}

function refuseEncodings(path: string): PathError | undefined {
  if (!path.includes('%')) return undefined;
  if (MISLEADING_ENCODING.test(path)) return 'percent encoding that changes the path';
  try {
    // Also fails on bytes that are no UTF-8, overlong forms of '/' among them.
    decodeURIComponent(path);
    return undefined;
  } catch {
    return 'broken percent encoding';
  }
}
