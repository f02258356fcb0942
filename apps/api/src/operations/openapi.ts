import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '#base/settings';
import { APPLICATION_LINKS } from '#discovery/application-links';
import { type DocumentedOperation, documentErrors, type SharedResponses } from './route-errors.js';

const DESCRIPTION = `Checkout for ticketing platforms, discovery for the public, the back office behind them, and the notifications between them.

Every error has one form: \`{"errors": [{"code", "message", "user_message"}]}\`, one entry for each code, ascending.
\`message\` names the invalid fields and never repeats what was sent. Discovery (\`/2\`)
adds \`message\`, \`status\` and \`meta\`, and has an entry for each invalid argument.

Every POST and PATCH of the back office takes \`Idempotency-Key\`: the same request with the same key gets the first answer again for 24 hours.

\`x-permissions\` of a route are sets of permissions; a person or token needs one whole set.`;

/** The routes of `app` as an OpenAPI 3.1 document, generated from the schemas that parse the requests. */
export function openApi(app: INestApplication, settings: Settings): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, describeApi(settings), { standardSchemaConverter });
  const shared: SharedResponses = {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item) as [string, Operation][]) {
      // Routes without a guard are public.
      operation.security ??= [];
      documentErrors({ path, method, operation }, shared);
    }
  }
  const schemas = inReadingOrder(document.components?.schemas ?? {});
  return {
    ...document,
    paths: inReadingOrder(document.paths),
    components: { ...document.components, schemas, responses: shared },
  } as OpenAPIObject;
}

/** What a reader looks for first. The rest follows. */
const SURFACES = ['/checkout/', '/2/', '/backoffice/', '/stream/'];

/** Paths by surface, then all by name, so that the document does not depend on the modules that bring the routes. */
function inReadingOrder<Item>(paths: Readonly<Record<string, Item>>): Record<string, Item> {
  const rankOf = (path: string) => {
    const rank = SURFACES.findIndex((surface) => path.startsWith(surface));
    return rank < 0 ? SURFACES.length : rank;
  };
  const byRank = ([a]: [string, Item], [b]: [string, Item]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
  return Object.fromEntries(Object.entries(paths).toSorted(byRank));
}

/** What the document says besides the routes. */
export function describeApi({ CHECKOUT_SCHEME: scheme, PUBLIC_URL }: Settings) {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Willcall')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(PUBLIC_URL)
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: `\`${scheme} <client_id>:<signature>\`: Base64 of HMAC-SHA1 over METHOD, LF, path, LF, raw body`,
      },
      'platform',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'a token of `/backoffice/v1/tokens`, or `BACKOFFICE_TOKEN`' },
      'staff',
    )
    .addCookieAuth(
      'willcall',
      {
        type: 'apiKey',
        description:
          '`POST /backoffice/v1/session` sets it; `__Host-willcall` over HTTPS. Unsafe methods need `X-CSRF-Token`.',
      },
      'session',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'a token of `/backoffice/v1/stream-tokens`, or that of staff' },
      'stream',
    )
    .addApiKey(
      { type: 'apiKey', in: 'query', name: 'client_id', description: 'with `client_secret`, if the key has one' },
      'discovery',
    )
    .addBasicAuth(
      { type: 'http', scheme: 'basic', description: 'client id and secret; the secret may be empty' },
      'discovery_basic',
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'Authorization', description: '`ApplePass <token>`, as the pass has it' },
      'pass',
    )
    .addExtension('x-application-links', APPLICATION_LINKS)
    .build();
}

type Operation = DocumentedOperation & { security?: object[] };

type JsonSchema = Record<string, unknown> & { $defs?: Record<string, unknown> };
type JsonSchemaSource = {
  '~standard'?: { jsonSchema?: Record<'input' | 'output', (options: { target: string }) => JsonSchema> };
};

/** OpenAPI 3.1 uses plain JSON Schema. By default Nest asks zod for the dialect of 3.0, which writes null differently. */
function standardSchemaConverter(schema: unknown, { schemaType }: { schemaType: 'input' | 'output' }) {
  const convert = (schema as JsonSchemaSource)['~standard']?.jsonSchema?.[schemaType];
  if (!convert) return undefined;
  const { $schema: _dialect, $defs: components = {}, ...converted } = convert({ target: 'draft-2020-12' });
  return { schema: converted, components };
}
