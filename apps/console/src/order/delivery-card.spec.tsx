// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OrderDetail } from '#orders/order.contract';
import { orderWith, plainSeat, sentSeat, SOURCES } from '../../test/delivery.js';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { DeliveryCard } from './delivery-card.js';
import { deliveryWords as words } from './delivery/delivery-words.js';

const FILE = { id: 'tkt_1', name: 'seat-5.pdf' };
const PROOF = { id: 'prf_1', name: 'screen.png', type: 'image/png', size: 9, sha256: 'ab', at: '' } as const;

function card(order: OrderDetail, { mayAct = true, answers = {} } = {}) {
  const asked = serve({ ...SOURCES, ...answers });
  shown(<DeliveryCard order={order} mayAct={mayAct} />);
  return asked;
}
const region = () => screen.queryByRole('region', { name: words.title });

afterEach(() => vi.unstubAllGlobals());

describe('the card Delivery', () => {
  it.each<[string, OrderDetail]>([
    ['nothing was done', orderWith([plainSeat('5'), plainSeat('6')])],
    ['a parcel has no label of ours', orderWith([plainSeat('5')], { type: 'ship', next_action: 'enter_tracking' })],
    ['all seats have files', orderWith([{ ...plainSeat('5'), file: FILE }])],
    [
      'the buyer fetches the tickets',
      orderWith([plainSeat('5')], { type: 'will_call', next_action: 'wait_for_pickup' }),
    ],
  ])('is not there where %s', (_, order) => {
    card(order);
    expect(region()).toBeNull();
  });

  it('has one row a seat, with its state in words, and where it was sent', async () => {
    const proven = sentSeat('5');
    card(
      orderWith([
        { ...proven, transfer: proven.transfer && { ...proven.transfer, proof: PROOF } },
        sentSeat('6', 'declined'),
        plainSeat('7', 'refused'),
        { ...plainSeat('8'), file: FILE },
        plainSeat('9'),
      ]),
    );
    const rows = (await screen.findAllByRole('row')).slice(1).map(({ textContent }) => textContent);
    await waitFor(() => expect(screen.getAllByText('AXS')).toHaveLength(2));
    expect(rows).toEqual([
      expect.stringContaining(words.transferState.sent),
      expect.stringContaining(words.transferState.declined),
      expect.stringContaining(words.refused),
      expect.stringContaining(words.fileAdded),
      expect.stringContaining(words.notSent),
    ]);
    expect(screen.getByRole('link', { name: words.download('screen.png') }).getAttribute('href')).toMatch(
      /orders\/ord_1\/transfers\/tra_5\/proof$/,
    );
    expect(screen.getByRole('link', { name: FILE.name }).getAttribute('href')).toMatch(/tickets\/tkt_1\/file$/);
  });

  it('stores a proof of a transfer', async () => {
    const route = 'POST orders/ord_1/transfers/tra_5/proof';
    const asked = card(orderWith([sentSeat('5')]), { answers: { [route]: { proof: PROOF } } });
    const button = await screen.findByRole('button', { name: words.addProofOf('5') });
    const input = button.closest('td')?.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('There is no field for the file.');
    fireEvent.change(input, { target: { files: [new File(['%PDF-'], 'mail.pdf')] } });
    expect(await screen.findByText(words.proofAdded('5'))).toBeTruthy();
    expect(asked.map((one) => one.route)).toContain(route);
  });

  it('only tells people who may not act', async () => {
    card(orderWith([sentSeat('5')]), { mayAct: false });
    await screen.findByText(words.transferState.sent);
    expect(within(region() as HTMLElement).queryAllByRole('button')).toEqual([]);
  });

  it('prints the label, and says why it cannot', async () => {
    const order = orderWith([plainSeat('1')], { type: 'ship', next_action: 'print_label' });
    const why = 'Only an order that is confirmed gets a label.';
    card(order, { answers: { 'POST orders/ord_1/label': refusal(409, 40901, why) } });
    fireEvent.click(await screen.findByRole('button', { name: words.label }));
    expect((await screen.findByRole('alert')).textContent).toContain(why);
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    card(order, { answers: { 'POST orders/ord_1/label': { id: 'lbl_1', url: '' } } });
    fireEvent.click(await screen.findByRole('button', { name: words.label }));
    expect(await screen.findByText(words.labelMade)).toBeTruthy();
    expect(saved.mock.contexts.map((link) => (link as HTMLAnchorElement).href)).toEqual([
      expect.stringMatching(/orders\/ord_1\/label$/),
    ]);
    saved.mockRestore();
  });
});
