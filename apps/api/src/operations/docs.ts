import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '#config/settings';
import { openApi } from './openapi.js';

/** `/openapi.json` and a page to read it at `/docs`. */
export function serveDocs(app: INestApplication, settings: Settings): void {
  SwaggerModule.setup('docs', app, () => openApi(app, settings), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Willcall API',
    // Keeps the token in this browser's storage across reloads.
    swaggerOptions: { persistAuthorization: true },
  });
}
