// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OrderDetail } from '#orders/order.contract';
import { orderWith, plainSeat } from '../../test/delivery.js';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { ticketFileWords as words } from './ticket-files/ticket-file-words.js';
import { TicketFilesCard } from './ticket-files-card.js';

const ROUTE = 'POST orders/ord_1/tickets/made';
const SEATS = [plainSeat('5', 'given'), plainSeat('6'), plainSeat('7', 'refused')];

function card(order: OrderDetail, { mayAct = true, made = {} }: { mayAct?: boolean; made?: object } = {}) {
  const asked = serve({ 'GET orders/ord_1/tickets': { tickets: [] }, [ROUTE]: made });
  shown(<TicketFilesCard order={order} mayAct={mayAct} />);
  return asked;
}
const button = () => screen.queryByRole('button', { name: words.makePasses });
const press = () => fireEvent.click(screen.getByRole('button', { name: words.makePasses }));

afterEach(() => vi.unstubAllGlobals());

describe('the card Ticket files', () => {
  it('makes wallet passes of seats with a barcode', async () => {
    const asked = card(orderWith(SEATS), { made: { tickets: [] } });
    press();
    expect(await screen.findByText(words.passesMade(1))).toBeTruthy();
    expect(asked.find(({ route }) => route === ROUTE)?.body).toEqual({ kind: 'pkpass', seats: ['5'] });
    await waitFor(() => expect(asked.filter(({ route }) => route === 'GET orders/ord_1/tickets').length).toBe(2));
  });

  it('says why it cannot', async () => {
    const why = 'No certificate for passes is set.';
    card(orderWith(SEATS), { made: refusal(409, 40901, why) });
    press();
    expect((await screen.findByRole('alert')).textContent).toContain(why);
  });

  it.each<[string, OrderDetail, boolean]>([
    ['no seat has a barcode', orderWith([plainSeat('5'), plainSeat('6', 'refused')]), true],
    ['the person may not act', orderWith(SEATS), false],
  ])('offers none where %s', async (_, order, mayAct) => {
    card(order, { mayAct });
    await screen.findByText(words.none);
    expect(button()).toBeNull();
  });
});
