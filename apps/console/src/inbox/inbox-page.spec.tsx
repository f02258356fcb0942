// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { InboxNotice } from '#accounts/inbox.contract';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { InboxPage } from './inbox-page.js';
import { inboxWords as words } from './inbox-words.js';

const NOTICE: InboxNotice = {
  id: '7',
  kind: 'mention',
  order_id: 'ord_1',
  orders: 1,
  actor: 'operator:opr_2',
  actor_name: 'Grace Hopper',
  at: '2026-11-26T10:00:00.000Z',
  read_at: null,
};
const SEVERAL: InboxNotice = { ...NOTICE, id: '6', kind: 'assigned', orders: 3, actor: 'system', actor_name: null };

const serveInbox = (notices: readonly InboxNotice[], unread: number) =>
  serve({
    'GET inbox': { notices, unread, next_cursor: null },
    'GET inbox/settings': { email: true },
    'PUT inbox/settings': { email: false },
    'POST inbox/read': { unread: 0 },
  });

describe('the notices', () => {
  it('lead to the orders, and are read by that', async () => {
    const asked = serveInbox([NOTICE, { ...SEVERAL, read_at: NOTICE.at }], 1);
    shown(<InboxPage />);
    const [first, second] = await screen.findAllByRole('listitem');
    expect(first?.textContent).toContain(`${words.unread} ${words.mention('Grace Hopper')} ord_1`);
    expect(second?.textContent).toContain(`${words.assigned(words.system)} ${words.orders(3)}`);
    expect(second?.textContent).not.toContain(words.unread);
    const order = screen.getByRole('link', { name: 'ord_1' });
    expect(order.getAttribute('href')).toBe('/orders/ord_1');
    const all = screen.getByRole('link', { name: words.orders(3) });
    expect(all.getAttribute('href')).toBe('/orders?assignee=opr_1');
    fireEvent.click(order);
    const read = () => asked.filter(({ route }) => route === 'POST inbox/read').map(({ body }) => body);
    await waitFor(() => expect(read()).toContainEqual({ ids: ['7'] }));
  });

  it('can all be marked as read', async () => {
    const asked = serveInbox([NOTICE], 1);
    shown(<InboxPage />);
    await screen.findByRole('listitem');
    fireEvent.click(screen.getByRole('button', { name: words.readAll }));
    await waitFor(() => expect(asked.find(({ route }) => route === 'POST inbox/read')?.body).toEqual({}));
  });

  it('come by e-mail unless the person wants none', async () => {
    const asked = serveInbox([], 0);
    shown(<InboxPage />);
    await screen.findByText(words.none);
    const choice = screen.getByRole<HTMLInputElement>('checkbox', { name: words.email.label });
    await waitFor(() => expect(choice.checked).toBe(true));
    fireEvent.click(choice);
    await screen.findByText(words.email.saved);
    expect(asked.find(({ route }) => route === 'PUT inbox/settings')?.body).toEqual({ email: false });
    expect(choice.checked).toBe(false);
  });
});
