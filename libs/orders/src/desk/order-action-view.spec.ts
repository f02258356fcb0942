import { expect, it } from 'vitest';
import { ADMINISTRATOR_TOKEN } from '#accounts/caller';
import type { Status } from '#domain/status';
import { shownActions } from './order-action-view.js';
import type { EffectiveAction } from './order-actions.js';

const DELIVERED: Status = { status: 'confirmed', status_message: 'Tickets fulfilled - email', status_code: 2004 };

it.each<[EffectiveAction['action'], boolean, string]>([
  ['deliver', false, 'Deliver'],
  ['deliver', true, 'Correct ticket link'],
  ['record_acceptance', true, 'Record acceptance'],
  ['enter_barcodes', true, 'Enter barcodes'],
  ['record_pickup', true, 'Record pick-up'],
  ['transfer', true, 'Transfer'],
])('the button of %s has its own name, if it keeps the status: %s', (action, corrects, label) => {
  const entry = { status: DELIVERED, label: 'Deliver', event: 'TicketsDelivered' } as const;
  const [shown] = shownActions([{ action, entry, moves: false, corrects, effects: [] }], ADMINISTRATOR_TOKEN, []);
  expect(shown?.label).toBe(label);
});
