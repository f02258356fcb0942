// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { macroWords } from './macro-words.js';
import { MacrosDialog } from './macros-dialog.js';
import { SelectedMacroDialog } from './selected-macro-dialog.js';

const words = macroWords.form;
const CALLED = {
  id: 'mac_1',
  name: 'Called',
  steps: [
    { type: 'note', text: 'Called.', visibility: 'internal' },
    { type: 'snooze', minutes: 60 },
  ],
};

afterEach(() => vi.unstubAllGlobals());

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: words.save }));

describe('the macros', () => {
  it('are made of the steps that are filled in; faults stand at their fields', async () => {
    const asked = serve({ 'GET macros': { macros: [] }, 'POST macros': CALLED });
    shown(<MacrosDialog onClose={vi.fn()} />);
    fireEvent.click(await screen.findByRole('button', { name: macroWords.add }));
    save();
    screen.getByText(words.nameMissing);
    screen.getByText(words.nothing);
    type(words.name, ' Sent ');
    type(words.snooze, 'a day');
    save();
    screen.getByText(words.snoozeWrong);
    type(words.snooze, '1440');
    type(words.mail, 'tickets');
    type('Tags to add', 'called, vip');
    type(words.note, 'Sent again.');
    fireEvent.click(screen.getByLabelText(words.notePartner));
    save();
    await screen.findByRole('button', { name: macroWords.add });
    expect(asked.filter(({ route }) => route === 'POST macros').map(({ body }) => body)).toEqual([
      {
        name: 'Sent',
        steps: [
          { type: 'mail', kind: 'tickets' },
          { type: 'snooze', minutes: 1_440 },
          { type: 'tag', add: ['called', 'vip'] },
          { type: 'note', text: 'Sent again.', visibility: 'partner' },
        ],
      },
    ]);
  });

  it('are changed with their steps in the order that they had, and deleted after a question', async () => {
    const asked = serve({
      'GET macros': { macros: [CALLED] },
      'PATCH macros/mac_1': CALLED,
      'DELETE macros/mac_1': {},
    });
    shown(<MacrosDialog onClose={vi.fn()} />);
    fireEvent.click(await screen.findByRole('button', { name: macroWords.editOf('Called') }));
    type(words.snooze, '30');
    save();
    fireEvent.click(await screen.findByRole('button', { name: macroWords.removeOf('Called') }));
    expect(asked.some(({ route }) => route.startsWith('DELETE'))).toBe(false);
    fireEvent.click(screen.getByRole('button', { name: macroWords.removeApply }));
    await waitFor(() => expect(asked.some(({ route }) => route === 'DELETE macros/mac_1')).toBe(true));
    expect(asked.find(({ route }) => route === 'PATCH macros/mac_1')?.body).toEqual({
      name: 'Called',
      steps: [CALLED.steps[0], { type: 'snooze', minutes: 30 }],
    });
  });

  it('are applied to selected orders one by one; those that were refused are shown and stay selected', async () => {
    const done = { steps: [{ type: 'note', outcome: 'done' }] };
    const errors = [{ code: 40902, message: 'Conflict: the order is in no queue' }];
    serve({
      'GET macros': { macros: [CALLED] },
      'POST orders/ord_1/macros/mac_1': done,
      'POST orders/ord_2/macros/mac_1': { steps: [...done.steps, { type: 'snooze', outcome: 'refused', errors }] },
      'POST orders/ord_3/macros/mac_1': { steps: [{ type: 'note', outcome: 'unchanged' }] },
    });
    const onEnd = vi.fn();
    shown(<SelectedMacroDialog ids={['ord_1', 'ord_2', 'ord_3']} onEnd={onEnd} onClose={vi.fn()} />);
    await screen.findByLabelText(macroWords.which);
    fireEvent.click(screen.getByRole('button', { name: macroWords.apply }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      '1 order changed. 1 order had it already. 1 order could not be changed and stay selected.',
    );
    expect(screen.getAllByRole('row').at(-1)?.textContent).toContain('The order is in no queue.');
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
    await waitFor(() => expect(onEnd).toHaveBeenCalled());
    expect(onEnd.mock.lastCall?.[0]).toMatchObject({
      done: ['ord_1', 'ord_3'],
      unchanged: 1,
      failed: [{ id: 'ord_2' }],
    });
  });
});
