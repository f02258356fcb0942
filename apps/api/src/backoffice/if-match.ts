import { HttpError } from '../http/http-error.js';

/** The version in `If-Match: "<version>"` (RFC 9110, section 13.1.1); empty without the header or with `*`. */
export function expectedVersion(header: string | undefined): { expectedVersion?: number } {
  if (header === undefined || header.trim() === '*') return {};
  const version = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1];
  if (version === undefined) throw HttpError.with(40001, 'if-match must be a version in double quotes');
  return { expectedVersion: Number(version) };
}
