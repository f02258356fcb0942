import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '#config/settings';
import { APPLICATION_LINKS } from '../discovery/application-links.js';
import { errorsOfAnyRoute } from '../http/api-errors.js';

/** `/openapi.json` and a page to read it at `/docs`. */
export function serveDocs(app: INestApplication, settings: Settings): void {
  SwaggerModule.setup('docs', app, () => openApi(app, settings), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Willcall API',
  });
}

const DESCRIPTION = `Checkout for ticketing platforms, discovery for the public, the back office behind them, and the notifications between them.

Every error has one form: \`{"errors": [{"code", "message", "user_message"}]}\`, one entry for each code, ascending.
\`message\` names the fields at fault and never repeats what was sent. Discovery (\`/2\`)
adds \`message\`, \`status\` and \`meta\`, and has an entry for each argument at fault. Beside its own, any route may answer:

${errorsOfAnyRoute()}`;

export function openApi(app: INestApplication, { CHECKOUT_SCHEME: scheme }: Settings): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Willcall')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: `\`${scheme} <client_id>:<signature>\`: Base64 of HMAC-SHA1 over METHOD, LF, path, LF, raw body`,
      },
      'platform',
    )
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'staff')
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
      'discovery basic',
    )
    .addExtension('x-application-links', APPLICATION_LINKS)
    .build();
  return SwaggerModule.createDocument(app, config);
}
