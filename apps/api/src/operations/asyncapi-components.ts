import { z } from 'zod';
import type { AsyncMessage } from './asyncapi-messages.js';

/** The messages by name. Their schemas are references where these have a name. */
export function messagesOf(messages: readonly AsyncMessage[]) {
  return Object.fromEntries(
    messages.map(({ headers, payload, ...message }) => [
      message.name,
      {
        ...message,
        headers: headers && referenceOr(headers),
        payload: payload && { $ref: addressOf(idOf(payload) ?? message.name) },
      },
    ]),
  );
}

/** The schemas that have a name, their own or that of their message, with references among them. */
export function schemasOf(messages: readonly AsyncMessage[]) {
  const named = z.registry<{ id: string }>();
  for (const { name, headers, payload } of messages) {
    const ofHeaders = headers && idOf(headers);
    if (ofHeaders) named.add(headers, { id: ofHeaders });
    if (payload) named.add(payload, { id: idOf(payload) ?? name });
  }
  const { schemas } = z.toJSONSchema(named, { target: 'draft-7', uri: addressOf });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, embedded(schema)]));
}

function referenceOr(schema: z.ZodType) {
  const id = idOf(schema);
  return id ? { $ref: addressOf(id) } : schemaOf(schema);
}

const idOf = (schema: z.ZodType) => schema.meta()?.id;
const addressOf = (schema: string) => `#/components/schemas/${schema}`;

/** The schema as a part of the document, in the dialect of AsyncAPI 3. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'output') {
  return embedded(z.toJSONSchema(schema, { target: 'draft-7', io }));
}

/** A schema that is a part of the document has no address of its own. */
function embedded({ $schema: _dialect, $id: _address, ...schema }: object & { $schema?: unknown; $id?: unknown }) {
  return schema;
}
