// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { MacroMenu } from './macro-menu.js';
import { macroWords as words } from './macro-words.js';

const CALLED = { id: 'mac_1', name: 'Called', steps: [{ type: 'tag', add: ['called'], remove: ['new', 'late'] }] };
const SENT = {
  id: 'mac_2',
  name: 'Sent again',
  steps: [
    { type: 'mail', kind: 'tickets' },
    { type: 'note', text: 'Sent again.', visibility: 'internal' },
    { type: 'snooze', minutes: 1_440 },
    { type: 'assign_me' },
  ],
};
const APPLY = 'POST orders/ord_1/macros/mac_2';
const steps = (...outcomes: readonly string[]) => ({
  steps: SENT.steps.map(({ type }, place) => ({ type, outcome: outcomes[place] ?? 'done' })),
});

afterEach(() => vi.unstubAllGlobals());

function menu(answer: object = steps(), macros: readonly object[] = [CALLED, SENT]) {
  const asked = serve({ 'GET macros': { macros }, [APPLY]: answer });
  const onDone = vi.fn();
  shown(<MacroMenu orderId="ord_1" isOff={false} onDone={onDone} />);
  return { applied: () => asked.filter(({ route }) => route === APPLY), onDone };
}

async function opened(digit: string) {
  fireEvent.keyDown(document.body, { key: 'm' });
  const list = await screen.findByRole('menu');
  await within(list).findByRole('menuitem', { name: 'Sent again' });
  fireEvent.keyDown(list, { key: digit });
  return within(await screen.findByRole('dialog'));
}

describe('the macros of an order', () => {
  it('are opened by m and chosen by their number, and say what they do before', async () => {
    const { applied, onDone } = menu();
    const dialog = await opened('2');
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Sends the buyer the e-mail “Tickets”.',
      'Leaves a note for colleagues: “Sent again.”',
      'Snoozes the order for 1 day.',
      'Assigns the order to you.',
    ]);
    expect(applied()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: words.apply }));
    await waitFor(() => expect(onDone).toHaveBeenCalledExactlyOnceWith(words.done('Sent again')));
    expect(applied()).toHaveLength(1);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('say which tags come and go', async () => {
    menu();
    const dialog = await opened('1');
    dialog.getByText('Adds the tag “called”. Removes the tags “new”, “late”.');
  });

  it('say which step was refused, why, and what was not done after it', async () => {
    const { steps: refused } = steps('refused', 'skipped', 'skipped', 'skipped');
    const errors = [{ code: 40902, message: 'Conflict: the order has no ticket files' }];
    const { onDone } = menu({ steps: refused.map((step, place) => (place === 0 ? { ...step, errors } : step)) });
    const dialog = await opened('2');
    fireEvent.click(dialog.getByRole('button', { name: words.apply }));
    const alert = within(await screen.findByRole('alert'));
    expect(alert.getAllByRole('listitem').map(({ textContent }) => textContent?.trim())).toEqual([
      'E-mail: refused. The order has no ticket files.',
      'Note: not done.',
      'Snooze: not done.',
      'Assignment: not done.',
    ]);
    expect(onDone).not.toHaveBeenCalled();
  });

  it('say so if nothing was changed, and how to make one if there is none', async () => {
    const { onDone } = menu(steps('unchanged', 'unchanged', 'unchanged', 'unchanged'));
    fireEvent.click((await opened('2')).getByRole('button', { name: words.apply }));
    await waitFor(() => expect(onDone).toHaveBeenCalledExactlyOnceWith(words.nothing('Sent again')));
    menu(steps(), []);
    fireEvent.keyDown(document.body, { key: 'm' });
    await screen.findByText(words.howTo, { exact: false });
  });
});
