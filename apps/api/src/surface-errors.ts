import type { ErrorBody } from '#contracts/checkout/error-body';
import { discoveryError } from './discovery/discovery-error.js';
import { isDiscovery } from './http/discovery-path.js';
import { ErrorWriter, jsonError, type WrittenError } from './http/written-error.js';

/** The discovery API has its own error format; all other surfaces answer in JSON. */
export class SurfaceErrors extends ErrorWriter {
  write(target: string, status: number, errors: ErrorBody): WrittenError {
    return isDiscovery(target) ? discoveryError(target, status, errors) : jsonError(errors);
  }
}
