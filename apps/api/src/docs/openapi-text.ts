import { TimeOrderedIds } from '#base/ids';
import { parseSettings } from '#base/load-settings';
import { createLogger } from '#platform/logger';
import { openApi } from '../operations/openapi.js';
import { createApi } from '../start-api.js';

/** Those of the generated documents. No request, database access or encryption takes place. */
export const SETTINGS = parseSettings({
  DATABASE_URL: 'postgres://nowhere.invalid/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  SANDBOX: 'true',
  // Serving the document needs the file that is written here.
  DOCS: 'false',
  PUBLIC_URL: 'http://127.0.0.1:3000',
});

/** The text of `docs/openapi.json`: what `/openapi.json` answers with the default settings. */
export async function openApiText(): Promise<string> {
  const api = await createApi(SETTINGS, createLogger('docs', 'silent'), new TimeOrderedIds());
  try {
    return `${JSON.stringify(openApi(api, SETTINGS), null, 2)}\n`;
  } finally {
    await api.close();
  }
}
