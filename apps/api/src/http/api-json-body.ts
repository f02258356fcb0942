import { ApiBody, type ApiBodyOptions } from '@nestjs/swagger';
import { z } from 'zod';

/** Documents a body that a route reads by itself, as one of these schemas. */
export function ApiJsonBody(...schemas: readonly [z.ZodType, z.ZodType, ...z.ZodType[]]): MethodDecorator {
  return bodyOf(z.union(schemas), { required: true });
}

/** Documents a body that a caller may leave out, of a route that reads it by itself. */
export function ApiOptionalBody(schema: z.ZodType): MethodDecorator {
  return bodyOf(schema, { required: false });
}

function bodyOf(standardSchema: z.ZodType, more: Readonly<{ required: boolean }>): MethodDecorator {
  // Converted as the schemas of other routes are; the decorator's own type knows of classes only.
  return ApiBody({ ...more, standardSchema } as ApiBodyOptions);
}
