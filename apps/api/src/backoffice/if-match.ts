import { ApiHeader } from '@nestjs/swagger';
import { HttpError } from '../http/http-error.js';

/** Documents the header `If-Match` of a route. */
export const ApiIfMatch = (version = 'version') =>
  ApiHeader({ name: 'if-match', required: false, description: `the quoted ${version} that the change expects` });

/** The version in `If-Match: "<version>"` (RFC 9110, section 13.1.1); empty without the header or with `*`. */
export function expectedVersion(header: string | undefined): { expectedVersion?: number } {
  if (header === undefined || header.trim() === '*') return {};
  const version = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1];
  if (version === undefined) throw HttpError.with(40001, 'if-match must be a version in double quotes');
  return { expectedVersion: Number(version) };
}
