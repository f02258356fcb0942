import { expect, it } from 'vitest';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { CONFIRMED } from '../../test/order.js';
import { nextAction } from './next-action.js';

const able = (action: OrderAction['action']): OrderAction => ({
  action,
  label: action,
  main: true,
  effects: [],
  needs: [],
  allowed: true,
});
const NAMES = ['accept', 'ship', 'deliver', 'transfer', 'enter_barcodes', 'offer_replacement'] as const;
const ACTIONS = NAMES.map(able);

const EXCEPTION: OrderDetail['status'] = { status: 'exception', status_message: 'Denied entry', status_code: 4001 };

type Delivery = OrderDetail['delivery'];

it.each<[Delivery['next_action'], Delivery['acts'], OrderDetail['status'], OrderAction['action'] | undefined]>([
  ['confirm', 'seller', null, 'accept'],
  ['upload_tickets', 'seller', null, 'deliver'],
  ['upload_links', 'seller', null, 'deliver'],
  ['enter_tracking', 'seller', null, 'ship'],
  ['print_label', 'seller', null, undefined],
  ['transfer', 'seller', null, 'transfer'],
  ['retransfer', 'seller', EXCEPTION, 'transfer'],
  ['enter_barcodes', 'seller', null, 'enter_barcodes'],
  ['reenter_barcodes', 'seller', EXCEPTION, 'enter_barcodes'],
  ['wait_for_pickup', 'carrier', null, undefined],
  ['wait_for_acceptance', 'buyer', null, undefined],
  ['done', 'nobody', null, undefined],
  ['done', 'staff', EXCEPTION, 'offer_replacement'],
  ['done', 'buyer', EXCEPTION, undefined],
])('what is done by hand for %s (%s) is filled', (next_action, acts, status, action) => {
  const delivery = { ...CONFIRMED.delivery, next_action, acts };
  expect(nextAction({ ...CONFIRMED, status: status ?? CONFIRMED.status, delivery }, ACTIONS)?.action).toBe(action);
});
