// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OrderAction } from '#orders/order-action.contract';
import type { OrderDetail } from '#orders/order.contract';
import { orderWith, plainSeat, sentSeat, SOURCES } from '../../../test/delivery.js';
import { refusal, serve } from '../../../test/server.js';
import { shown } from '../../../test/shown.js';
import type { ActionDialogProps } from '../edit/action-dialog-props.js';
import { AcceptanceDialog } from './acceptance-dialog.js';
import { BarcodesDialog } from './barcodes-dialog.js';
import { deliveryWords as words } from './delivery-words.js';
import { TransferDialog } from './transfer-dialog.js';

const ACTION: OrderAction = {
  action: 'transfer',
  label: 'Transfer',
  main: true,
  status_code: 2004,
  status_message: 'Delivered electronically',
  effects: ['ping'],
  needs: [],
  allowed: true,
};

async function dialog(
  Asking: (props: ActionDialogProps) => React.ReactNode,
  order: OrderDetail,
  answers: Readonly<Record<string, unknown>> = {},
) {
  const asked = serve({ ...SOURCES, ...answers });
  const onDone = vi.fn();
  const onGone = vi.fn();
  shown(<Asking order={order} action={ACTION} onClose={vi.fn()} onDone={onDone} onGone={onGone} />);
  const found = within(await screen.findByRole('dialog', { name: ACTION.label }));
  const type = (label: string, value: string) => fireEvent.change(found.getByLabelText(label), { target: { value } });
  const apply = () => {
    const button = found.getByRole('button', { name: words.apply });
    expect(button.dataset['action']).toBe('apply');
    fireEvent.click(button);
  };
  const sent = () => asked.filter(({ route }) => !route.startsWith('GET')).map(({ route, body }) => [route, body]);
  return { found, type, apply, sent, onDone, onGone };
}

afterEach(() => vi.unstubAllGlobals());

describe('the dialog Transfer', () => {
  const TRANSFERS = 'POST orders/ord_1/transfers';
  const TWO = orderWith([plainSeat('5'), plainSeat('6')]);

  it('sends all seats that are not sent yet, but for those that somebody leaves out', async () => {
    const order = orderWith([sentSeat('4'), sentSeat('5', 'declined'), plainSeat('6')]);
    const { found, type, apply, sent, onDone } = await dialog(TransferDialog, order, {
      [TRANSFERS]: { transfers: [] },
    });
    expect(found.getAllByRole('checkbox')).toHaveLength(2);
    // As the last time.
    await waitFor(() => expect(found.getByLabelText<HTMLSelectElement>(words.transfer.source).value).toBe('axs'));
    fireEvent.click(found.getByLabelText(words.transfer.seat('6')));
    type(words.transfer.fields.confirmation_number.label, ' AX-2 ');
    apply();
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(sent()).toEqual([[TRANSFERS, { seats: ['5'], source: 'axs', confirmation_number: 'AX-2' }]]);
  });

  it('wants at least one seat, and the whole holder or none', async () => {
    const { found, type, apply, sent } = await dialog(TransferDialog, TWO);
    await found.findByText('AXS');
    const { 'holder.first_name': first, 'holder.last_name': last } = words.transfer.holderFields;
    type(first.label, 'Ada');
    for (const box of found.getAllByRole('checkbox')) fireEvent.click(box);
    apply();
    expect(found.getByText(words.transfer.noSeat)).toBeTruthy();
    expect(found.getByText(words.transfer.missing(last.label))).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  it.each([
    ['claim_url must be an address', words.transfer.fields.claim_url.label],
    ['holder.email must be an e-mail address', words.transfer.holderFields['holder.email'].label],
  ])('says beside the field that %s', async (fault, label) => {
    const refused = refusal(400, 40001, `Missing or invalid field: ${fault}`);
    const { found, apply } = await dialog(TransferDialog, TWO, { [TRANSFERS]: refused });
    await found.findByText('AXS');
    apply();
    await waitFor(() => expect(found.getByLabelText(label).getAttribute('aria-invalid')).toBe('true'));
    expect(found.queryByRole('alert')).toBeNull();
  });

  it('ends when a colleague has sent the seats', async () => {
    const { onGone } = await dialog(TransferDialog, orderWith([sentSeat('5')]));
    expect(onGone).toHaveBeenCalledWith(words.gone(ACTION.label));
  });
});

describe('the dialog Record acceptance', () => {
  const stateOf = (seat: string) => `POST orders/ord_1/transfers/tra_${seat}/state`;
  const ORDER = orderWith([sentSeat('5'), sentSeat('6'), sentSeat('7'), sentSeat('8', 'declined')]);

  it('records what became of each transfer that waits', async () => {
    const { type, apply, sent, onDone } = await dialog(AcceptanceDialog, ORDER, {
      [stateOf('5')]: {},
      [stateOf('6')]: {},
    });
    type(words.acceptance.seat('6'), 'declined');
    type(words.acceptance.seat('7'), 'none');
    apply();
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(sent()).toEqual([
      [stateOf('5'), { state: 'accepted' }],
      [stateOf('6'), { state: 'declined' }],
    ]);
  });

  it('wants one answer', async () => {
    const { found, type, apply, sent } = await dialog(AcceptanceDialog, orderWith([sentSeat('5')]));
    type(words.acceptance.seat('5'), 'none');
    apply();
    expect(found.getByText(words.acceptance.nothing)).toBeTruthy();
    expect(sent()).toEqual([]);
  });
});

describe('the dialog Enter barcodes', () => {
  const BARCODES = 'POST orders/ord_1/barcodes';
  const { barcodeOf, otherOf, reasonOf } = words.barcodes;

  it('sends the barcodes that are known', async () => {
    const order = orderWith([plainSeat('4', 'given'), plainSeat('5'), plainSeat('6')]);
    const { found, type, apply, sent, onDone } = await dialog(BarcodesDialog, order, { [BARCODES]: {} });
    expect(found.getAllByRole('textbox')).toHaveLength(2);
    type(barcodeOf('6'), ' 4006 ');
    apply();
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(sent()).toEqual([[BARCODES, { barcodes: [{ seat: '6', barcode: '4006' }] }]]);
  });

  it('asks for another one in place of a refused one, and why', async () => {
    const route = 'PUT orders/ord_1/barcodes/5';
    const order = orderWith([plainSeat('5', 'refused'), plainSeat('6', 'given')]);
    const { found, type, apply, sent, onDone } = await dialog(BarcodesDialog, order, { [route]: {} });
    type(otherOf('5'), '4007');
    apply();
    expect(found.getByText(words.barcodes.noReason)).toBeTruthy();
    expect(sent()).toEqual([]);
    type(reasonOf('5'), 'Gate 3');
    apply();
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(sent()).toEqual([[route, { barcode: '4007', reason: 'Gate 3' }]]);
  });

  it('says beside its field that the barcode of the only seat is taken', async () => {
    const why = 'Another ticket of the event has this barcode.';
    const order = orderWith([plainSeat('5'), plainSeat('6')]);
    const { found, type, apply } = await dialog(BarcodesDialog, order, {
      [BARCODES]: refusal(409, 40902, `Conflict: ${why}`),
    });
    type(barcodeOf('6'), '4006');
    apply();
    expect(await found.findByText(why)).toBeTruthy();
    expect(found.getByLabelText(barcodeOf('6')).getAttribute('aria-invalid')).toBe('true');
    expect(found.queryByRole('alert')).toBeNull();
  });

  it.each([
    ['nothing', '', '', words.barcodes.nothing],
    ['other signs', 'é', '', words.barcodes.wrong],
    ['the same twice', '4006', '4006', words.barcodes.twice],
  ])('sends nothing for %s, and says so beside the field', async (_, one, other, fault) => {
    const { found, type, apply, sent } = await dialog(BarcodesDialog, orderWith([plainSeat('5'), plainSeat('6')]));
    type(barcodeOf('5'), one);
    type(barcodeOf('6'), other);
    apply();
    expect(found.getAllByText(fault)[0]).toBeTruthy();
    expect(sent()).toEqual([]);
  });
});
