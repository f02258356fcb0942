import { ApiBody, type ApiBodyOptions } from '@nestjs/swagger';
import { z } from 'zod';

/** Documents the body of a route that parses it itself, as one of these schemas. */
export function ApiJsonBody(...schemas: readonly [z.ZodType, z.ZodType, ...z.ZodType[]]): MethodDecorator {
  return bodyOf(z.union(schemas), { required: true });
}

/** Documents an optional body of a route that parses it itself. */
export function ApiOptionalBody(schema: z.ZodType): MethodDecorator {
  return bodyOf(schema, { required: false });
}

function bodyOf(standardSchema: z.ZodType, more: Readonly<{ required: boolean }>): MethodDecorator {
  // It is converted like the schemas of other routes; the decorator's type only knows classes.
  return ApiBody({ ...more, standardSchema } as ApiBodyOptions);
}
