import { existsSync, readFileSync } from 'node:fs';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type Settings, usesSandbox } from '#base/settings';
import { parseJson } from '#base/json';
import { describeApi } from './openapi.js';

const FILE = 'docs/openapi.json';
const OF_SANDBOX = /^\/(?:sandbox|backoffice\/v1\/test-purchases$)/;

/**
 * The document that `npm run docs` has written, as it is with these settings. Making it from the routes takes half a second, in which nobody
 * could buy.
 */
export function readOpenApi(settings: Settings): OpenAPIObject {
  const document = parseJson(readFileSync(locate(FILE), 'utf8')) as OpenAPIObject;
  const { servers, components } = describeApi(settings);
  const isServed = (path: string) => usesSandbox(settings) || !OF_SANDBOX.test(path);
  const paths = Object.entries(document.paths).filter(([path]) => isServed(path));
  return {
    ...document,
    servers,
    paths: Object.fromEntries(paths),
    components: { ...document.components, securitySchemes: components?.securitySchemes },
  } as OpenAPIObject;
}

/** Sources and build lie at different depths below the repository. */
function locate(path: string): URL {
  let file = new URL(path, import.meta.url);
  while (!existsSync(file)) {
    const above = new URL(`../../${path}`, file);
    if (above.href === file.href) throw new Error(`${path} is missing.`);
    file = above;
  }
  return file;
}
