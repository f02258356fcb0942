import type { Page } from 'playwright-core';

export function fingerprintOf(page: Page): Promise<object>;
