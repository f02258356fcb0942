import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '#config/settings';
import { keepFixedDocuments } from '../http/fixed-documents.js';
import { openApi } from './openapi.js';

/** `/openapi.json` and a page to read it at `/docs`, unless DOCS switches them off. */
export function serveDocs(app: INestApplication, settings: Settings): void {
  if (!settings.DOCS) return;
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  keepFixedDocuments(fastify, (path) => /^\/(?:openapi\.(?:json|yaml)$|docs(?:\/|$))/.test(path));
  SwaggerModule.setup('docs', app, () => openApi(app, settings), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Willcall API',
    // Keeps the token in this browser's storage across reloads.
    swaggerOptions: { persistAuthorization: true },
  });
}
