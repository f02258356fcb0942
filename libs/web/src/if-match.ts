import { ApiHeader } from '@nestjs/swagger';
import { HttpError } from './http-error.js';

/** Documents the header `If-Match` of a route. */
export const ApiIfMatch = (version = 'version') =>
  ApiHeader({ name: 'if-match', required: false, description: `the quoted ${version} that the change expects` });

/**
 * The version in `If-Match: "<version>"` (RFC 9110, section 13.1.1), or else the one in the body; empty without either.
 * @throws HttpError 412 if they differ, because one of them is stale
 */
export function expectedVersion(header: string | undefined, sent?: number | null): { expectedVersion?: number } {
  const required = requiredVersion(header);
  if (required === undefined) return typeof sent === 'number' ? { expectedVersion: sent } : {};
  if (typeof sent === 'number' && sent !== required) throw HttpError.with(41201, 'version and if-match differ');
  return { expectedVersion: required };
}

function requiredVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const version = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1];
  if (version === undefined) throw HttpError.with(40001, 'if-match must be a version in double quotes');
  return Number(version);
}
