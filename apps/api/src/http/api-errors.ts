import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorBody } from '#contracts/checkout/error-body';
import { type ErrorCode, ERRORS } from '#contracts/checkout/errors';

/** Errors that any route may answer. */
const ANY_ROUTE: readonly ErrorCode[] = [40000, 40001, 40300, 40400, 40800, 41300, 41500, 42100, 43100, 50000, 50300];

/** The same as a Markdown list. */
export function errorsOfAnyRoute(): string {
  return ANY_ROUTE.map((code) => `- ${ERRORS[code].status}, ${code}: ${ERRORS[code].message}`).join('\n');
}

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
