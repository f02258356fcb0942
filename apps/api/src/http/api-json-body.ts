import { ApiBody, type ApiBodyOptions } from '@nestjs/swagger';
import { z } from 'zod';

/** Documents a body that a route reads by itself, as one of these schemas. */
export function ApiJsonBody(...schemas: readonly [z.ZodType, z.ZodType, ...z.ZodType[]]): MethodDecorator {
  // Converted as the schemas of other routes are; the decorator's own type knows of classes only.
  const options = { required: true, standardSchema: z.union(schemas) };
  return ApiBody(options as ApiBodyOptions);
}
