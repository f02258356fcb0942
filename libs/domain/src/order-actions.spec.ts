import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  bought,
  given,
  NOON,
  orderAfter,
  refused,
  reported,
  status,
  uploaded,
} from '../../../test/support/orders/delivered-order.js';
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

const shipped = (form?: 'label') => bought({ delivery_method: 'ship', ...(form && { delivery_form: form }) });
const printed: OrderCommand = { type: 'PrintLabel', labelId: 'lbl_1' };
const fetched: OrderCommand = { type: 'ReportDelivery', report: 'parcel_picked_up', at: NOON };

it.each<[string, number | undefined, readonly OrderCommand[]]>([
  ['waits at the box office', 2003, [bought({ delivery_method: 'will_call' })]],
  ['was fetched there', undefined, [bought({ delivery_method: 'will_call' }), reported('picked_up')]],
  ['has a label that was printed', 2000, [shipped('label'), printed]],
  ['has none', undefined, [shipped('label')]],
  ['is with the carrier', undefined, [shipped('label'), printed, fetched]],
  ['has a label, and is rejected', undefined, [shipped('label'), printed, status(3004)]],
  ['is downloaded', undefined, [download()]],
])('the pick-up of an order that %s leads to the status %s', (_, code, commands) => {
  const actions = possibleActions(orderAfter(...commands), CATALOGUE, NOON);
  const pickup = actions.find(({ action }) => action === 'record_pickup');
  expect(pickup?.entry.status.status_code).toBe(code);
  expect(pickup?.effects).toEqual(code === undefined ? undefined : code === 2003 ? ['ping'] : []);
});
