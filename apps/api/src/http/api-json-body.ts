import { ApiBody } from '@nestjs/swagger';
import { z } from 'zod';

type OpenApiSchema = Extract<Parameters<typeof ApiBody>[0], { schema: unknown }>['schema'];

/** Documents a body that a route reads by itself, as one of these schemas. */
export function ApiJsonBody(...schemas: readonly z.ZodType[]): MethodDecorator {
  const described = schemas.map((schema) => z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as OpenApiSchema);
  return ApiBody({ required: true, schema: { oneOf: described } as OpenApiSchema });
}
