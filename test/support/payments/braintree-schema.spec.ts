import { existsSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { SCHEMA } from './braintree/schema.js';
import * as documents from '../../../libs/payments/src/braintree/documents.js';

// Braintree's own, which is not part of this repository.
const FILE = new URL('../../../../shared/payments/braintree-schema.graphql', import.meta.url);
const published = existsSync(FILE) ? buildSchema(readFileSync(FILE, 'utf8')) : undefined;
if (!published)
  console.log('Skipped: ../shared/payments/braintree-schema.graphql is absent, so nothing is held against it.');

// Newer than the published schema, by the provider's reference.
const NEWER_FIELD = 'apiRequestKey';

/** `Type.field: its type` of each field, and `Enum.VALUE` of each value. */
function wordsOf(schema: GraphQLSchema): Set<string> {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  return new Set(
    types.flatMap((type) => {
      if (isEnumType(type)) return type.getValues().map(({ name }) => `${type.name}.${name}`);
      if (!isObjectType(type) && !isInputObjectType(type) && !isInterfaceType(type)) return [type.name];
      return Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${String(field.type)}`);
    }),
  );
}

describe('each document', () => {
  it.each(Object.entries(documents))('is valid for the double: %s', (_, document) => {
    expect(validate(SCHEMA, parse(document))).toEqual([]);
  });

  it.skipIf(!published).each(Object.entries(documents))("is valid by Braintree's schema: %s", (_, document) => {
    expect(validate(published!, parse(document))).toEqual([]);
  });

  it.skipIf(!published)('is checked at all', () => {
    expect(validate(published!, parse('{ node(id: "a") { ... on Transaction { noSuchField } } }'))).toHaveLength(1);
  });
});

it.skipIf(!published)("the double has nothing that Braintree's schema has not, besides the key of a request", () => {
  const known = wordsOf(published!);
  const others = [...wordsOf(SCHEMA)].filter((word) => !known.has(word) && !word.includes(`.${NEWER_FIELD}:`));
  expect(others).toEqual([]);
});
