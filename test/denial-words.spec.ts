import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { denials } from '../apps/console/src/words/answers.js';
import { CODE_OF_DENIAL } from '#domain/broker-answer';
import { DENIAL_REASONS } from '#domain/order-events';
import type { StatusCatalogueFile } from '#domain/status-catalogue';

const file = new URL('../libs/domain/src/status-catalogue.json', import.meta.url);
const { statuses } = JSON.parse(readFileSync(file, 'utf8')) as StatusCatalogueFile;

it.each(DENIAL_REASONS)('the console says which status a denial for %s gives', (reason) => {
  const { status, status_message: message } =
    statuses.find(({ status_code: code }) => code === CODE_OF_DENIAL[reason]) ?? {};
  expect([status, denials[reason].status]).toEqual(['rejected', message]);
});
