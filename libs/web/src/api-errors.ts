import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorBody } from './error-body.contract.js';
import { type ErrorCode, ERRORS } from './errors.contract.js';

/** Documents the answer to a client that has the document already. */
export const NOT_MODIFIED = { status: 304, description: 'The answer matches If-None-Match' };

/** Documents the error codes of a route, by HTTP status. */
export function ApiErrors(...codes: readonly ErrorCode[]): MethodDecorator & ClassDecorator {
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status, message } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${code} ${message}`]);
  }
  const responses = [...byStatus].map(([status, lines]) =>
    ApiResponse({ status, description: lines.join('; '), standardSchema: ErrorBody }),
  );
  return applyDecorators(...responses);
}
