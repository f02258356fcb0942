import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { canBeAsked } from '../api/can-be-asked.js';
import type { OrderSummary } from '#orders/order.contract';
import { may, sessionQuery } from '../api/session.js';
import { viewsQuery } from '../api/views.js';
import { BuyerText } from './buyer-text.js';
import { partsIn } from './found-parts.js';
import { frame } from '../words/frame.js';
import { money, shortTime } from '../words/formats.js';
import { paletteWords as words } from './palette-words.js';
import { useNavigation } from './navigation.js';
import { recentOrders } from './recent-orders.js';
import { ShortId } from './short-id.js';
import { Status } from './status.js';
import { useSignOut } from './use-sign-out.js';

export type Command = Readonly<{
  id: string;
  group: string;
  /** Words by which it is found. */
  title: string;
  content?: ReactNode;
  hint?: string;
  keys?: string;
  /** It answers an earlier text. */
  isStale?: boolean;
  run: () => void;
}>;

/** Everything that matches the text, best match first: orders, pages, saved views and general commands. */
export function useCommands(
  text: string,
  { orders, isStale }: Readonly<{ orders: readonly OrderSummary[]; isStale: boolean }>,
  onShowKeys: () => void,
): readonly Command[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const { data: session } = useQuery(sessionQuery);
  const { data: views = [] } = useQuery({ ...viewsQuery, enabled: may(session, 'orders:read') });
  const openOrder = (id: string) => void navigate({ to: '/orders/$id', params: { id } });
  const leave = useSignOut();
  const navigation = useNavigation();

  const found: Command[] = orders.map((order) => ({
    id: order.id,
    group: words.orders,
    isStale,
    title: order.id,
    content: (
      <>
        <ShortId id={order.id} parts={partsIn(order, 'id')} /> <Status status={order.status} />{' '}
        <BuyerText order={order} />
      </>
    ),
    hint: [order.section, order.row, money(order.total), shortTime(order.placed_at, Date.now())]
      .filter(Boolean)
      .join(' · '),
    run: () => openOrder(order.id),
  }));
  const everywhere: Command = {
    id: 'search',
    group: words.orders,
    title: words.searchAll(text),
    run: () => void navigate({ to: '/orders', search: { q: text } }),
  };
  const recent: Command[] = recentOrders().map((id) => ({
    id,
    group: words.recent,
    title: id,
    content: <ShortId id={id} />,
    run: () => openOrder(id),
  }));
  const pages: Command[] = navigation
    .filter(({ needs }) => may(session, needs))
    .map(({ to, name, go }) => ({
      id: to,
      group: words.pages,
      title: words.goTo(name),
      ...(go && { keys: `g ${go.key}` }),
      run: () => void navigate({ to }),
    }));
  const saved: Command[] = views.map(({ id, name, shared }) => ({
    id,
    group: words.views,
    title: name,
    ...(shared && { hint: words.shared }),
    run: () => void navigate({ to: '/orders', search: { view: id } }),
  }));
  const actions: Command[] = [
    { id: 'keys', title: words.keys, keys: '?', run: onShowKeys },
    { id: 'copy', title: words.copyAddress, run: () => void navigator.clipboard.writeText(location.href) },
    { id: 'light', title: words.theme(frame.themes.light), run: () => setColorScheme('light') },
    { id: 'dark', title: words.theme(frame.themes.dark), run: () => setColorScheme('dark') },
    { id: 'auto', title: words.theme(frame.themes.auto), run: () => setColorScheme('auto') },
    { id: 'leave', title: frame.signOut, run: leave },
  ].map((action) => ({ ...action, group: words.actions }));

  const named = [...pages, ...saved, ...actions].filter(({ title }) => fits(title, text));
  if (text === '') return [...recent, ...named];
  return [...found, ...named, ...(canBeAsked(text) ? [everywhere] : [])];
}

/** True if each word of the text begins a word of the title. */
function fits(title: string, text: string): boolean {
  const parts = title.toLowerCase().split(/\s+/);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => parts.some((part) => part.startsWith(word)));
}
