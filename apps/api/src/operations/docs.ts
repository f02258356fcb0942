import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '#base/settings';
import { vendoredFiles } from '#platform/vendored-files';
import type { DocumentPace } from '#web/document-pace';
import { keepFixedDocuments } from '#web/fixed-documents';
import { asyncApi } from './asyncapi.js';
import { readOpenApi } from './openapi-file.js';
import { type JsonValue, yamlText } from './yaml-text.js';

/** `/openapi.json` and a page to read it at `/docs`, and `/asyncapi.json`, unless DOCS switches them off. */
export function serveDocs(app: INestApplication, settings: Settings, pace: DocumentPace): void {
  if (!settings.DOCS) return;
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const isFixed = (path: string) => /^\/(?:asyncapi\.json$|openapi\.(?:json|yaml)$|docs(?:\/|$))/.test(path);
  keepFixedDocuments(fastify, { isFixed, pace });
  const messages = asyncApi(settings);
  fastify.get('/asyncapi.json', () => messages);
  const document = readOpenApi(settings);
  fastify.get('/openapi.yaml', (_request, reply) =>
    reply.type('text/yaml').send(yamlText(document as unknown as JsonValue)),
  );
  SwaggerModule.setup('docs', app, document, {
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Willcall API',
    customSwaggerUiPath: vendoredFiles('swagger-ui'),
    // Keeps the token in this browser's storage across reloads.
    swaggerOptions: { persistAuthorization: true },
  });
}
