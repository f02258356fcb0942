import { breaksOfSchema, type Schema, type Schemas, type Use } from './schema-breaks.js';

type Content = Readonly<Record<string, { schema?: Schema }>>;
type Parameter = Readonly<{ name: string; in: string; required?: boolean; schema?: Schema }>;
type Operation = Readonly<{
  parameters?: readonly Parameter[];
  requestBody?: Readonly<{ required?: boolean; content: Content }>;
  responses: Readonly<Record<string, Readonly<{ content?: Content }>>>;
}>;

/** An OpenAPI document, as far as callers depend on it. */
export type ApiDocument = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<{ schemas: Schemas }>;
}>;

/** What callers of the `released` document cannot rely on in `current`, a sentence for each, sorted. */
export function breakingChanges(released: ApiDocument, current: ApiDocument): string[] {
  const now = operationsOf(current);
  const compare: Compare = (name, use, before, after) =>
    before && after
      ? breaksOfSchema(name, use, [before, released.components.schemas], [after, current.components.schemas])
      : [];
  const breaks = [...operationsOf(released)].flatMap(([key, [name, before]]) => {
    const [, after] = now.get(key) ?? [];
    if (!after) return [`${name} is gone`];
    return [
      ...breaksOfParameters(name, before.parameters ?? [], after.parameters ?? [], compare),
      ...breaksOfBody(name, before.requestBody, after.requestBody, compare),
      ...breaksOfAnswers(name, before.responses, after.responses, compare),
    ];
  });
  return [...new Set(breaks)].sort();
}

/** By method and path. The name of a parameter in the path is nothing that a caller sends. */
function operationsOf({ paths }: ApiDocument): Map<string, [name: string, Operation]> {
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const name = `${method.toUpperCase()} ${path}`;
        return [name.replace(/\{\w+\}/g, '{}'), [name, operation]];
      }),
    ),
  );
}

type Compare = (name: string, use: Use, before?: Schema, after?: Schema) => readonly string[];

function breaksOfParameters(
  name: string,
  before: readonly Parameter[],
  after: readonly Parameter[],
  compare: Compare,
): string[] {
  const sent = (parameters: readonly Parameter[]) =>
    new Map(
      parameters.filter((each) => each.in !== 'path').map((each) => [`${each.in} ${each.name.toLowerCase()}`, each]),
    );
  const [old, now] = [sent(before), sent(after)];
  const gone = [...old].filter(([key]) => !now.has(key)).map(([key]) => `${name}: the ${key} is gone`);
  const changed = [...now].flatMap(([key, parameter]) => {
    const was = old.get(key);
    const isNeeded = parameter.required === true && was?.required !== true;
    const needed = isNeeded ? [`${name}: the ${key} is required`] : [];
    return [...needed, ...compare(`${name}: the ${key}`, 'request', was?.schema, parameter.schema)];
  });
  return [...gone, ...changed];
}

function breaksOfBody(
  name: string,
  before: Operation['requestBody'],
  after: Operation['requestBody'],
  compare: Compare,
): string[] {
  const isNeeded = after?.required === true && before?.required !== true;
  const needed = isNeeded ? [`${name}: a body is required`] : [];
  return [...needed, ...breaksOfContent(`${name}: the body`, 'request', before?.content, after?.content, compare)];
}

function breaksOfAnswers(
  name: string,
  before: Operation['responses'],
  after: Operation['responses'],
  compare: Compare,
): string[] {
  const good = Object.entries(before).filter(([status]) => status.startsWith('2'));
  return good.flatMap(([status, { content }]) => {
    const now = after[status];
    if (!now) return [`${name}: the answer ${status} is gone`];
    return breaksOfContent(`${name}: the answer ${status}`, 'answer', content, now.content, compare);
  });
}

function breaksOfContent(
  name: string,
  use: Use,
  before: Content = {},
  after: Content = {},
  compare: Compare,
): string[] {
  return Object.entries(before).flatMap(([type, { schema }]) => {
    const now = after[type];
    return now ? compare(name, use, schema, now.schema) : [`${name} as ${type} is gone`];
  });
}
