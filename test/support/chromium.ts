import { existsSync } from 'node:fs';

// The headless shell, a package of its own in Debian, takes two thirds of the processor time of the whole browser.
const PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const chosen = process.env['CHROMIUM'];

/** The path of the browser. If undefined, suites that need it are skipped, and `npm test` says so. */
export const chromium = (chosen ? [chosen] : PATHS).find((path) => existsSync(path));
