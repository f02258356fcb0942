import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bought, given, NOON, orderAfter, refused, uploaded } from '../../../test/support/orders/delivered-order.js';
import type { OrderCommand } from './order.js';
import { possibleActions } from './order-actions.js';
import { statusCatalogue, type StatusCatalogueFile } from './status-catalogue.js';

const file = new URL('./status-catalogue.json', import.meta.url);
const CATALOGUE = statusCatalogue(JSON.parse(readFileSync(file, 'utf8')) as StatusCatalogueFile);
const download = (form?: 'barcodes') => bought({ delivery_method: 'download', ...(form && { delivery_form: form }) });

it.each<[string, boolean, readonly OrderCommand[]]>([
  ['that has none', true, [download('barcodes')]],
  ['whose first seat has one', true, [download('barcodes'), given('A1')]],
  ['whose seats all have one', false, [download('barcodes'), given('A1', 'A2')]],
  ['of which one was refused', true, [download('barcodes'), given('A1', 'A2'), refused('A1')]],
  ['whose file was refused', true, [download(), uploaded('t1'), refused('A1')]],
  ['that is delivered with files', false, [download(), uploaded('t1')]],
])('barcodes can be entered for an order %s: %s', (_, isPossible, commands) => {
  const actions = possibleActions(orderAfter(...commands), CATALOGUE, NOON);
  expect(actions.some(({ action }) => action === 'enter_barcodes')).toBe(isPossible);
});
