import { envExample } from '#base/env-example';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { eventFixtures, moneyEventFixtures } from '#orders/event-fixtures';
import { asyncApi } from '../operations/asyncapi.js';
import { eventsPage } from './events-page.js';
import { openApiText, SETTINGS } from './openapi-text.js';
import { peoplePage } from './people-page.js';
import { routesTypes } from './routes-types.js';
import { statusesPage } from './statuses-page.js';

/** All generated files of the repository, by path; `npm run docs` writes them. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const catalogue = loadStatusCatalogue();
  const openApi = await openApiText();
  return new Map([
    ['.env.example', envExample()],
    ['docs/asyncapi.json', `${JSON.stringify(asyncApi(SETTINGS), null, 2)}\n`],
    ['docs/events.md', eventsPage(eventFixtures(), moneyEventFixtures(), catalogue)],
    ['docs/openapi.json', openApi],
    ['docs/people.md', peoplePage()],
    ['docs/statuses.md', statusesPage(catalogue)],
    ['types/backoffice-routes.ts', routesTypes(openApi)],
  ]);
}
