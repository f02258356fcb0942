// `npm run docs`: writes the generated files. test/generated.spec.ts fails if they are out of date.
import 'reflect-metadata';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { API_TASKS } from '../dist/apps/api/src/api-tasks.js';
import { generatedFiles } from '../dist/apps/api/src/docs/generated-files.js';
import { WORKER_TASKS } from '../dist/apps/worker/src/background-tasks.js';
import { tasksPage } from '../dist/libs/platform/src/tasks/tasks-page.js';
import { withMap } from '../dist/test/architecture/architecture-page.js';
import { LIBS } from '../dist/test/architecture/lib-map.js';
import { DASHBOARD_FILE, grafanaDashboard } from './grafana-dashboard.mjs';

const PAGE = 'docs/architecture.md';
const page = withMap(readFileSync(new URL(`../${PAGE}`, import.meta.url), 'utf8'), LIBS);

const tasks = tasksPage({ worker: WORKER_TASKS, api: API_TASKS });
const pages = [
  [PAGE, page],
  ['docs/background-tasks.md', tasks],
  [DASHBOARD_FILE, grafanaDashboard()],
];

for (const [path, text] of [...(await generatedFiles()), ...pages]) {
  const file = new URL(`../${path}`, import.meta.url);
  mkdirSync(new URL('./', file), { recursive: true });
  writeFileSync(file, text);
}
