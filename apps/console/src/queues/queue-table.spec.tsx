// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { QueuedOrder } from '#desk/queue.contract';
import { CONFIRMED } from '../../test/order.js';
import { waitingOrder } from '../../test/queued-order.js';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { QueueTable } from './queue-table.js';
import { queueWords as words } from './queue-words.js';

type NextAction = QueuedOrder['delivery']['next_action'];

afterEach(() => vi.unstubAllGlobals());

function row(order: QueuedOrder) {
  serve({});
  const on = { onActive: vi.fn(), onSnooze: vi.fn(), onRemedy: vi.fn() };
  const selection = { selected: new Set<string>(), setSelected: vi.fn(), toggle: vi.fn() };
  shown(<QueueTable label="Orders" rows={[{ order, isGone: false }]} active={0} selection={selection} {...on} />);
  return on;
}

const open = (next_action: NextAction, more: Partial<QueuedOrder> = {}) =>
  waitingOrder('ord_1', {
    status: CONFIRMED.status,
    confirm_by: null,
    queue: 'overdue',
    overdue: true,
    delivery: { type: 'download', next_action, acts: 'staff', due_at: null },
    ...more,
  });

it('a row says what is sold, for how much, by whom, and whether there are notes', () => {
  row(open('enter_tracking', { seller: 'Front Row', notes: 2 }));
  const text = screen.getAllByRole('row')[1]?.textContent ?? '';
  expect(text).toContain('2 × Floor · A');
  expect(text).toContain('$254.60');
  expect(text).toContain('Front Row');
  expect(text).toContain(words.notes(2));
});

it.each<[NextAction, string | undefined]>([
  ['enter_tracking', words.remedy.tracking],
  ['upload_tickets', words.remedy.files],
  ['upload_links', words.remedy.link],
  ['transfer', words.remedy.transfer],
  ['retransfer', words.remedy.retransfer],
  ['enter_barcodes', words.remedy.barcodes],
  ['reenter_barcodes', words.remedy.barcodesAgain],
  ['print_label', words.remedy.label],
  ['wait_for_acceptance', words.remedy.acceptance],
  ['confirm', words.remedy.approve],
  ['wait_for_pickup', words.remedy.pickup],
  ['done', undefined],
])('its first button is the likely remedy for %s', (next, name) => {
  const { onRemedy } = row(open(next));
  const [first] = screen.getAllByRole('button');
  if (name === undefined) return expect(first?.textContent).toBe(words.snooze);
  expect(first?.getAttribute('aria-label')).toBe(`${name} ord_1`);
  if (first) fireEvent.click(first);
  expect(onRemedy).toHaveBeenCalledOnce();
});

it('an order with a problem is offered other tickets, unless the buyer has them to consider', () => {
  const status = { status: 'exception', status_message: 'Denied entry', status_code: 4001 } as const;
  row(open('done', { status }));
  screen.getByRole('button', { name: `${words.remedy.otherTickets} ord_1` });
  row(open('done', { status, delivery: { type: 'download', next_action: 'done', acts: 'buyer', due_at: null } }));
  expect(screen.getAllByRole('button')).toHaveLength(1);
});
