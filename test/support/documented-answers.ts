import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Response = Readonly<{ $ref?: string; content?: Readonly<Record<string, object>> }>;
type Operation = Readonly<{ responses: Readonly<Record<string, Response>> }>;
type Document = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<{ responses: Readonly<Record<string, Response>> }>;
}>;
type Route = Readonly<{ path: string; matches: RegExp; parameters: number }>;

/** An answer as a client gets it. `json` is undefined unless the body is JSON. */
export type ReceivedAnswer = Readonly<{ status: number; mediaType: string; text: string; json: unknown }>;

const FILE = new URL('../../docs/openapi.json', import.meta.url);

/** Compares answers with `docs/openapi.json`, by a validator that is not ours. */
export class DocumentedAnswers {
  readonly #document: Document;
  readonly #routes: readonly Route[];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(text = readFileSync(FILE, 'utf8')) {
    this.#document = JSON.parse(text) as Document;
    this.#routes = Object.keys(this.#document.paths)
      .map((path) => ({ path, matches: patternOf(path), parameters: path.split('{').length }))
      .toSorted((a, b) => a.parameters - b.parameters);
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, 'api');
  }

  /** What the document does not say about the answer of one of its routes. Undefined if it is as documented, or of no route. */
  fault(method: string, pathname: string, answer: ReceivedAnswer): string | undefined {
    const verb = method.toLowerCase();
    const route = this.#routes.find(
      ({ path, matches }) => matches.test(pathname) && this.#document.paths[path]?.[verb] !== undefined,
    );
    if (!route) return undefined;
    const place = `${method} ${route.path} ${answer.status}`;
    const response = this.#document.paths[route.path]?.[verb]?.responses[answer.status];
    if (!response) return `${place} is not in docs/openapi.json`;
    const pointer = response.$ref ?? `#/paths/${escaped(route.path)}/${verb}/responses/${answer.status}`;
    const { content } = response.$ref ? this.#shared(response.$ref) : response;
    if (!content) return answer.text === '' ? undefined : `${place} has a body that is not in docs/openapi.json`;
    if (!content[answer.mediaType]) return `${place} is ${answer.mediaType}, which is not in docs/openapi.json`;
    if (answer.json === undefined) return undefined;
    const validate = this.#validator(`api${pointer}/content/${escaped(answer.mediaType)}/schema`);
    if (validate(answer.json)) return undefined;
    return `${place} is not as in docs/openapi.json: ${this.#ajv.errorsText(validate.errors)}`;
  }

  #shared(reference: string): Response {
    return this.#document.components.responses[reference.split('/').at(-1) ?? ''] ?? {};
  }

  #validator(reference: string): ValidateFunction {
    const known = this.#compiled.get(reference);
    if (known) return known;
    const compiled = this.#ajv.compile({ $ref: reference });
    this.#compiled.set(reference, compiled);
    return compiled;
  }
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

/** For a JSON Pointer in a URI. */
function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
