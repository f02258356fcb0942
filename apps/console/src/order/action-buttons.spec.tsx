// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, it, vi } from 'vitest';
import type { OrderAction } from '#orders/order-action.contract';
import { CONFIRMED } from '../../test/order.js';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { ActionButtons } from './action-buttons.js';
import { OrderDialogs } from './order-dialogs.js';
import { orderWords } from './order-words.js';

const words = orderWords.dialog;

const cancel = (effects: OrderAction['effects']): OrderAction => ({
  action: 'change_status',
  label: 'Cancel and refund',
  main: true,
  status_code: 3010,
  effects,
  needs: [],
  allowed: true,
});

/** An order that a button of the test, and its own, change. */
function Changing() {
  const [version, setVersion] = useState(CONFIRMED.version);
  const [asked, setAsked] = useState<OrderAction | null>(null);
  const order = { ...CONFIRMED, version };
  const close = () => setAsked(null);
  return (
    <>
      <button onClick={() => setVersion(version + 1)}>Capture</button>
      <ActionButtons
        order={order}
        isPast={false}
        mayErase={false}
        mayDispute={false}
        onChoose={setAsked}
        onErase={vi.fn()}
        onDispute={vi.fn()}
      >
        {null}
      </ActionButtons>
      <OrderDialogs order={order} asked={asked} onClose={close} onDone={vi.fn()} />
    </>
  );
}

afterEach(() => vi.unstubAllGlobals());

it('a click while the order changes opens the dialog, which then says what follows now', async () => {
  serve({ 'GET orders/ord_1/actions': { actions: [cancel(['void'])] } });
  shown(<Changing />);
  const button = await screen.findByRole('button', { name: 'Cancel and refund' });

  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
  fireEvent.click(screen.getByRole('button', { name: 'Capture' }));
  fireEvent.click(button);
  await screen.findByRole('button', { name: words.final.void('$254.60') });

  answer(Response.json({ actions: [cancel(['refund'])] }));
  await screen.findByRole('button', { name: words.final.refund('$254.60') });
});
