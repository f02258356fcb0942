import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Permission } from '#accounts/permission.contract';
import { may, sessionQuery } from '../api/session.js';
import { frame } from '../words/frame.js';
import { Account } from './account.js';
import {
  AuditIcon,
  ClientsIcon,
  DeliveryIcon,
  EventsIcon,
  FraudRulesIcon,
  JobsIcon,
  KeysIcon,
  ListingsIcon,
  OrdersIcon,
  PeopleIcon,
  PoliciesIcon,
  ProjectionsIcon,
  QueuesIcon,
  ReportsIcon,
  StatusesIcon,
  TokensIcon,
  WebhooksIcon,
} from './icons.js';
import { LiveDot } from './live-dot.js';
import { Logo } from './logo.js';
import { PaletteButton } from './palette-button.js';

type Item = Readonly<{ to: string; name: string; icon: ComponentType; needs: Permission }>;

const { nav } = frame;
const WORK: readonly Item[] = [
  { to: '/orders', name: nav.orders, icon: OrdersIcon, needs: 'orders:read' },
  { to: '/work', name: nav.queues, icon: QueuesIcon, needs: 'orders:read' },
  { to: '/delivery', name: nav.delivery, icon: DeliveryIcon, needs: 'delivery:read' },
  { to: '/listings', name: nav.listings, icon: ListingsIcon, needs: 'listings:read' },
  { to: '/events', name: nav.events, icon: EventsIcon, needs: 'listings:read' },
  { to: '/jobs', name: nav.jobs, icon: JobsIcon, needs: 'runs:act' },
  { to: '/reports', name: nav.reports, icon: ReportsIcon, needs: 'orders:read' },
];
const SETTINGS: readonly Item[] = [
  { to: '/settings/operators', name: nav.operators, icon: PeopleIcon, needs: 'admin' },
  { to: '/settings/tokens', name: nav.tokens, icon: TokensIcon, needs: 'admin' },
  { to: '/settings/clients', name: nav.clients, icon: ClientsIcon, needs: 'admin' },
  { to: '/settings/keys', name: nav.keys, icon: KeysIcon, needs: 'admin' },
  { to: '/settings/webhooks', name: nav.webhooks, icon: WebhooksIcon, needs: 'delivery:read' },
  { to: '/settings/catalogue', name: nav.statuses, icon: StatusesIcon, needs: 'orders:read' },
  { to: '/settings/policies', name: nav.policies, icon: PoliciesIcon, needs: 'runs:act' },
  { to: '/settings/fraud-rules', name: nav.fraudRules, icon: FraudRulesIcon, needs: 'runs:act' },
  { to: '/settings/projections', name: nav.projections, icon: ProjectionsIcon, needs: 'delivery:read' },
  { to: '/settings/audit', name: nav.audit, icon: AuditIcon, needs: 'audit:read' },
];

/** Every page of the navigation. */
export const NAVIGATION: readonly Item[] = [...WORK, ...SETTINGS];

const isAt =
  (pathname: string) =>
  ({ to }: Item) =>
    pathname === to || pathname.startsWith(`${to}/`);

/** The page of the navigation that an address belongs to. */
export const pageAt = (pathname: string): Item | undefined => NAVIGATION.find(isAt(pathname));

/** Shows only pages that this person may open. */
export function SideBar({ open }: Readonly<{ open: boolean }>) {
  const { data: session } = useQuery(sessionQuery);
  const allowed = (items: readonly Item[]) => items.filter(({ needs }) => may(session, needs));
  const settings = allowed(SETTINGS);
  return (
    <nav aria-label={frame.main} className={`side${open ? ' open' : ''}`}>
      <Link to="/orders" className="brand" title={frame.product}>
        <Logo />
        <span className="label">{frame.product}</span>
      </Link>
      <PaletteButton />
      <div>
        {allowed(WORK).map((item) => (
          <NavLink key={item.to} {...item} />
        ))}
        {settings.length > 0 && <p className="nav-heading">{frame.settings}</p>}
        {settings.map((item) => (
          <NavLink key={item.to} {...item} />
        ))}
      </div>
      <div className="grow" />
      <LiveDot />
      {session && <Account session={session} />}
    </nav>
  );
}

function NavLink(item: Item) {
  const { to, name, icon: Icon } = item;
  const { pathname } = useLocation();
  const current = isAt(pathname)(item);
  return (
    <Link to={to} className="nav-link" title={name} {...(current && { 'aria-current': 'page' as const })}>
      <Icon />
      <span className="label">{name}</span>
    </Link>
  );
}
