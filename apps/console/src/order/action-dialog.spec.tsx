// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { OrderAction } from '#orders/order-action.contract';
import { CONFIRMED, PAID } from '../../test/order.js';
import { orderWith, plainSeat } from '../../test/delivery.js';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { ActionDialog } from './action-dialog.js';
import { EraseDialog } from './edit/erase-dialog.js';
import { deskWords } from './edit/order-desk-words.js';
import { orderWords } from './order-words.js';
import { ReplacementDialog } from './replacement-dialog.js';

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

function dialog(
  action: OrderAction,
  actions: readonly OrderAction[],
  { order = CONFIRMED, Dialog = ActionDialog } = {},
) {
  const asked = serve({
    'GET orders/ord_1/actions': { actions },
    'GET orders/ord_1': order,
    'POST delivery-reports': { orders: [], ignored: false },
  });
  const [onDone, onGone] = [vi.fn(), vi.fn()];
  shown(<Dialog order={order} action={action} onClose={vi.fn()} onDone={onDone} onGone={onGone} />);
  return { asked, onDone, onGone };
}

afterEach(() => vi.unstubAllGlobals());

it.each<[string, OrderAction, string, string]>([
  ['refunds', { ...CANCEL, effects: ['refund'] }, 'Refund $254.60', words.keep],
  ['voids', { ...CANCEL, effects: ['void'] }, 'Void $254.60', words.keep],
  ['ends an order without money', CANCEL, 'Cancel and refund', words.keep],
  ['can be followed by others', SHIP, words.apply, words.cancel],
])('says on its buttons what happens, if it %s', (_, action, apply, cancel) => {
  dialog(action, [action], { order: PAID });
  expect(screen.getByRole('button', { name: apply }).dataset['action']).toBe('apply');
  expect(screen.getByRole('button', { name: cancel }).dataset['action']).toBe('cancel');
});

it('offers the carriers that the server takes', () => {
  dialog(SHIP, [SHIP]);
  const list = screen.getByLabelText<HTMLInputElement>(words.need.carrier).list;
  expect([...(list?.options ?? [])].map(({ value }) => value)).toEqual(SHIP.carriers);
});

it.each([
  ['', ActionDialog],
  [' of other tickets', ReplacementDialog],
])("the dialog%s ends when a colleague's act has made it impossible, and says why", async (_, Dialog) => {
  const { onGone, asked } = dialog(SHIP, [CANCEL], { Dialog });
  await vi.waitFor(() => expect(onGone).toHaveBeenCalledWith(words.gone('Ship', 'Confirmed')));
  expect(asked.some(({ route }) => route.startsWith('POST'))).toBe(false);
});

it.each([
  ['will_call', 'picked_up', { note: 'At window 3' }],
  ['ship', 'parcel_picked_up', {}],
] as const)(
  'reports that tickets to be fetched (%s) were, and keeps a note with a status',
  async (type, kind, note) => {
    const order = orderWith([plainSeat('5')], { type, next_action: 'wait_for_pickup' });
    const pickup: OrderAction = { ...SHIP, action: 'record_pickup', label: 'Record pick-up', needs: [] };
    const { asked, onDone } = dialog(pickup, [pickup], { order });
    const field = screen.queryByLabelText(words.need.note);
    expect(field !== null).toBe('note' in note);
    expect(screen.queryByText(words.parcelGone) !== null).toBe(kind === 'parcel_picked_up');
    if (field) fireEvent.change(field, { target: { value: 'At window 3' } });
    fireEvent.click(screen.getByRole('button', { name: words.apply }));
    await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
    const sent = asked.find(({ route }) => route === 'POST delivery-reports');
    expect(sent?.body).toEqual({ order_id: 'ord_1', kind, ...note });
  },
);

it('the dialog of an erasure ends when somebody else has erased the data', async () => {
  const asked = serve({});
  const onDone = vi.fn();
  shown(<EraseDialog order={{ ...CONFIRMED, personal_data: 'erased' }} onClose={vi.fn()} onDone={onDone} />);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith(deskWords.erasedBefore));
  expect(asked).toEqual([]);
});
