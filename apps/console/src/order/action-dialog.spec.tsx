// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { OrderAction } from '#orders/order-action.contract';
import { CONFIRMED, PAID } from '../../test/order.js';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { ActionDialog } from './action-dialog.js';
import { orderWords } from './order-words.js';

const words = orderWords.dialog;
const SHIP: OrderAction = {
  action: 'ship',
  label: 'Ship',
  main: true,
  status_code: 2002,
  effects: ['ping'],
  needs: ['carrier', 'tracking_number'],
  carriers: ['UPS', 'FedEx'],
  allowed: true,
};
const CANCEL: OrderAction = {
  ...SHIP,
  action: 'change_status',
  label: 'Cancel and refund',
  status_code: 3010,
  needs: [],
};

function dialog(action: OrderAction, actions: readonly OrderAction[], order = CONFIRMED) {
  const asked = serve({ 'GET orders/ord_1/actions': { actions } });
  const onGone = vi.fn();
  shown(<ActionDialog order={order} action={action} onClose={vi.fn()} onDone={vi.fn()} onGone={onGone} />);
  return { asked, onGone };
}

afterEach(() => vi.unstubAllGlobals());

it.each<[string, OrderAction, string, string]>([
  ['refunds', { ...CANCEL, effects: ['refund'] }, 'Refund $254.60', words.keep],
  ['voids', { ...CANCEL, effects: ['void'] }, 'Void $254.60', words.keep],
  ['ends an order without money', CANCEL, 'Cancel and refund', words.keep],
  ['can be followed by others', SHIP, words.apply, words.cancel],
])('says on its buttons what happens, if it %s', (_, action, apply, cancel) => {
  dialog(action, [action], PAID);
  expect(screen.getByRole('button', { name: apply }).dataset['action']).toBe('apply');
  expect(screen.getByRole('button', { name: cancel }).dataset['action']).toBe('cancel');
});

it('offers the carriers that the server takes', () => {
  dialog(SHIP, [SHIP]);
  const list = screen.getByLabelText<HTMLInputElement>(words.need.carrier).list;
  expect([...(list?.options ?? [])].map(({ value }) => value)).toEqual(SHIP.carriers);
});

it("ends when a colleague's act has made it impossible, and says why", async () => {
  const { onGone, asked } = dialog(SHIP, [CANCEL]);
  await vi.waitFor(() => expect(onGone).toHaveBeenCalledWith(words.gone('Ship', 'Confirmed')));
  expect(asked.some(({ route }) => route.startsWith('POST'))).toBe(false);
});
