// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { MoneyTask } from '#money/money-task.contract';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { moneyWords } from './money-words.js';
import { TaskEndDialog } from './task-end-dialog.js';
import { TaskTable } from './task-table.js';

const words = moneyWords.tasks;

const TASK: MoneyTask = {
  id: 'tsk_1',
  kind: 'difference',
  order_id: 'ord_1',
  reference: 'ch_1',
  ours: 115,
  theirs: null,
  due_at: null,
  opened_at: '2026-11-26T10:00:00.000Z',
  done_at: null,
};
const LEDGER = { accounts: [{ account: 'bank', currency: 'EUR', balance: 1 }], position: 1, at: null };

const table = (task: Partial<MoneyTask>, onEnd?: (task: MoneyTask) => void) => {
  serve({ 'GET ledger/accounts': LEDGER });
  const list = { rows: [{ ...TASK, ...task }], isPending: false, error: null, refetch: vi.fn() };
  shown(<TaskTable list={list} empty="" {...(onEnd && { onEnd })} />);
  return within(screen.getByRole('table'));
};
/** Ours and theirs. */
const sides = () => [2, 3].map((column) => screen.getAllByRole('cell')[column]?.textContent);

describe('a task about money', () => {
  it('shows both sides, amounts in the currency of the ledger', async () => {
    table({ theirs: 12.5 });
    await waitFor(() => expect(sides()).toEqual(['€115.00', '€12.50']));
    table({ ours: 'confirmed', theirs: null });
    expect(sides()).toEqual(['confirmed', '–']);
  });

  it('leads to its order, and without one shows what they call it', () => {
    expect(table({}).getByRole('link', { name: 'ord_1' }).getAttribute('href')).toBe('/orders/ord_1');
    const other = table({ order_id: null });
    expect(other.queryByRole('link')).toBeNull();
    other.getByText('ch_1');
  });

  it('is ended by those who may, once', () => {
    const onEnd = vi.fn();
    fireEvent.click(table({}, onEnd).getByRole('button', { name: words.endOf(words.kind.difference, 'ord_1') }));
    expect(onEnd).toHaveBeenCalledWith(TASK);
    expect(table({}).queryByRole('button')).toBeNull();
    expect(table({ done_at: '2026-11-26T11:00:00.000Z' }, onEnd).queryByRole('button')).toBeNull();
  });

  it('ends only with a note that says what was done', async () => {
    const asked = serve({ 'POST money/tasks/tsk_1/done': { ...TASK, done_at: '2026-11-26T11:00:00.000Z' } });
    const onDone = vi.fn();
    shown(<TaskEndDialog task={TASK} onClose={vi.fn()} onDone={onDone} />);
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: words.dialog.submit }));
    dialog.getByText(words.dialog.noteMissing);
    expect(asked).toEqual([]);
    fireEvent.change(dialog.getByLabelText(words.dialog.note), { target: { value: ' Paid by transfer. ' } });
    fireEvent.click(dialog.getByRole('button', { name: words.dialog.submit }));
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(asked.map(({ body }) => body)).toEqual([{ note: 'Paid by transfer.' }]);
  });
});
