import { existsSync } from 'node:fs';

const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** The path of the browser. If undefined, suites that need it are skipped, and `npm test` says so. */
export const chromium = existsSync(path) ? path : undefined;
