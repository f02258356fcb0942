import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiQuery, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { z } from 'zod';
import { ERRORS } from '#web/errors.contract';
import { DiscoveryError } from './meta.contract.js';
import { NOT_MODIFIED } from '#web/api-errors';
import { type Argument, parametersOf } from './argument.js';
import { PRESENTATION } from './presentation.js';

/** Error codes of all discovery routes. */
const CODES = [40001, 40307, 40400, 42900] as const;

/** Documents a discovery route: its answers, its arguments, and what all routes share. */
export function ApiDiscovery(
  operationId: string,
  summary: string,
  answer: z.ZodType,
  args: readonly Argument<unknown>[] = [],
): MethodDecorator {
  const codes = CODES.filter((code) => code !== 40400 || args.length === 0);
  return applyDecorators(
    ApiOperation({ operationId, summary }),
    ApiSecurity('discovery'),
    ApiSecurity('discovery_basic'),
    ApiProduces('application/json', 'application/xml', 'application/javascript'),
    ApiOkResponse({ standardSchema: answer, headers: HEADERS }),
    ApiResponse(NOT_MODIFIED),
    ...codes.map((code) => {
      const { status, message } = ERRORS[code];
      return ApiResponse({ status, description: `${code} ${message}`, standardSchema: DiscoveryError });
    }),
    ...parametersOf([...args, PRESENTATION]).map((shown) => ApiQuery({ required: false, type: String, ...shown })),
  );
}

const header = (type: 'string' | 'integer', description: string) => ({ description, schema: { type } });
const HEADERS = {
  ETag: header('string', 'for If-None-Match'),
  'RateLimit-Limit': header('integer', 'requests that the key has at once'),
  'RateLimit-Remaining': header('integer', 'of these, how many are left'),
  'RateLimit-Reset': header('integer', 'seconds until all of them are there again'),
};
