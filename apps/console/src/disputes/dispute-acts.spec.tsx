// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Dispute } from '#money/dispute.contract';
import { DISPUTE } from '../../test/dispute.js';
import { refusal, serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { DisputeActs } from './dispute-acts.js';
import { EvidenceDialog } from './dispute-dialogs.js';
import { situationOf } from './dispute-text.js';
import { disputeWords as words } from './dispute-words.js';

const { send, accept, close, now } = words;
const PAST = '2020-12-03T10:00:00.000Z';

const acts = (dispute: Partial<Dispute>, onDone = vi.fn()) => {
  shown(<DisputeActs dispute={{ ...DISPUTE, ...dispute }} onDone={onDone} />);
  return onDone;
};
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const inDialog = async () => within(await screen.findByRole('dialog'));

describe('what can be done with a dispute', () => {
  it.each<readonly [string, Partial<Dispute>, readonly string[], string]>([
    ['that waits', {}, [send.open, accept.open], now.card('€254.60')],
    ['that the bank only asks about', { inquiry: true }, [send.open, accept.open], now.inquiry],
    ['without a time', { due_at: null }, [send.open, accept.open], now.card('€254.60')],
    ['whose time is over', { due_at: PAST }, [], now.late],
    ['that is answered', { state: 'sent' }, [], now.sent],
    ['that is won', { state: 'won' }, [], now.won],
    ['that is lost', { state: 'lost' }, [], now.lost('€254.60')],
    ['of a denied entry', { kind: 'denied_entry' }, [close.open], now.own],
    ['of a denied entry that is late', { kind: 'denied_entry', due_at: PAST }, [close.open], now.own],
    ['of a cancelled sale that is settled', { kind: 'cancelled_sale', state: 'won' }, [], now.wonOwn],
  ])('%s', (_, dispute, buttons, text) => {
    acts(dispute);
    expect(screen.queryAllByRole('button').map((button) => button.textContent)).toEqual(buttons);
    expect(situationOf({ ...DISPUTE, ...dispute }, Date.now())).toBe(text);
  });
});

describe('the evidence of a dispute', () => {
  it('is final, with a note for colleagues', async () => {
    const asked = serve({ 'POST disputes/dp_1/evidence': { ...DISPUTE, state: 'sent' } });
    const onDone = acts({});
    press(send.open);
    const dialog = await inDialog();
    dialog.getByText(send.final);
    fireEvent.change(dialog.getByLabelText(words.note), { target: { value: ' With the address. ' } });
    fireEvent.click(dialog.getByRole('button', { name: send.submit }));
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(send.done));
    expect(asked.map(({ body }) => body)).toEqual([{ submit: true, note: 'With the address.' }]);
  });

  it('is not asked for any more when somebody else has answered, which the page then says', async () => {
    const asked = serve({});
    const onDone = vi.fn();
    shown(<EvidenceDialog dispute={{ ...DISPUTE, state: 'sent' }} onClose={vi.fn()} onDone={onDone} />);
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(words.gone));
    expect(asked).toEqual([]);
  });

  it('can be a draft, which is not final', async () => {
    const asked = serve({ 'POST disputes/dp_1/evidence': DISPUTE });
    const onDone = acts({});
    press(send.open);
    const dialog = await inDialog();
    fireEvent.click(dialog.getByLabelText(send.draft));
    expect(dialog.queryByText(send.final)).toBeNull();
    fireEvent.click(dialog.getByRole('button', { name: send.submitDraft }));
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(send.doneDraft));
    expect(asked.map(({ body }) => body)).toEqual([{ submit: false }]);
  });

  it('says why the server refuses it', async () => {
    serve({ 'POST disputes/dp_1/evidence': refusal(409, 40908, 'The bank takes no evidence any more.') });
    const onDone = acts({});
    press(send.open);
    fireEvent.click((await inDialog()).getByRole('button', { name: send.submit }));
    expect((await screen.findByRole('alert')).textContent).toContain('The bank takes no evidence any more.');
    expect(onDone).not.toHaveBeenCalled();
  });
});

it('a dispute that no bank decides ends as somebody says', async () => {
  const asked = serve({ 'POST disputes/dp_1/close': { ...DISPUTE, state: 'withdrawn' } });
  const onDone = acts({ kind: 'denied_entry' });
  press(close.open);
  const dialog = await inDialog();
  fireEvent.change(dialog.getByLabelText(close.end), { target: { value: 'withdrawn' } });
  fireEvent.click(dialog.getByRole('button', { name: close.submit }));
  await waitFor(() => expect(onDone).toHaveBeenCalledWith(close.done));
  expect(asked.map(({ route, body }) => [route, body])).toEqual([['POST disputes/dp_1/close', { state: 'withdrawn' }]]);
});
