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
const ACTIONS = (['accept', 'ship', 'deliver', 'offer_replacement'] as const).map(able);
const having = (status: string, status_code: number): Partial<OrderDetail> => ({
  status: { status, status_message: status, status_code } as OrderDetail['status'],
});
const by = (type: 'ship' | 'download' | 'will_call'): Partial<OrderDetail> => ({ delivery_method: { type, data: {} } });
const sent: Partial<OrderDetail> = { fulfillment: { type: 'download', data: { url: 'https://tickets.example/1' } } };

it.each<[string, Partial<OrderDetail>, OrderAction['action'] | undefined]>([
  ['waits for the broker', having('pending', 1001), 'accept'],
  ['is to be shipped', by('ship'), 'ship'],
  ['is to be downloaded', by('download'), 'deliver'],
  ['has its confirmation mail', { ...by('download'), ...having('confirmed', 2001) }, 'deliver'],
  ['is kept at the box office', by('will_call'), undefined],
  ['was sent', { ...by('download'), ...sent }, undefined],
  ['was shipped without a tracking number', { ...by('ship'), ...having('confirmed', 2002) }, undefined],
  ['has a problem', having('exception', 4001), 'accept'],
  ['has ended', having('rejected', 3004), undefined],
  ['is not paid yet', { status: null }, undefined],
])('the next action of an order that %s', (_, order, action) => {
  expect(nextAction({ ...CONFIRMED, ...order }, ACTIONS)?.action).toBe(action);
});
