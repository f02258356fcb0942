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
    // The token stays in this browser's storage, so that a reload does not ask for it again.
    swaggerOptions: { persistAuthorization: true },
  });
}
