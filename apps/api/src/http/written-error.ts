import type { ErrorBody } from '#contracts/checkout/error-body';
import { isDiscovery } from './discovery-path.js';
import { discoveryError } from '../discovery/discovery-error.js';

/** What is sent in answer to a request that went wrong. */
export type WrittenError = Readonly<{ headers: Readonly<Record<string, string>>; body: string }>;

/** An Error body as the surface has it that the target (path and query) belongs to. */
export function writtenError(target: string, status: number, errors: ErrorBody): WrittenError {
  if (isDiscovery(target)) return discoveryError(target, status, errors);
  return { headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(errors) };
}
