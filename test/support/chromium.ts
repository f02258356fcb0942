import { existsSync } from 'node:fs';

const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Where the browser is; undefined where there is none: suites that need it are skipped, and `npm test` says so. */
export const chromium = existsSync(path) ? path : undefined;
