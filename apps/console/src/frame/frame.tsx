import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { may, sessionQuery } from '../api/session.js';
import { followOrderChanges } from '../live/live-changes.js';
import { frame } from '../words/frame.js';
import { Bell } from './bell.js';
import { ForbiddenPage } from './forbidden-page.js';
import { MenuIcon } from './icons.js';
import { useNavigationPage } from './navigation.js';
import { LeaveQuestion } from './leave-question.js';
import { PaletteShortcuts } from './palette-shortcuts.js';
import { SideBar } from './side-bar.js';

type Props = Readonly<{
  /** What administrators see below every page: there it moves nothing when it comes. */
  below: ReactNode;
  /** They lie over every page. */
  children: ReactNode;
}>;

export function Frame({ below, children }: Props) {
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  useEffect(() => setOpen(false), [pathname]);
  useEffect(followOrderChanges, []);
  const { data: session } = useQuery(sessionQuery);
  const page = useNavigationPage();
  const isForbidden = session != null && page !== undefined && !may(session, page.needs);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {frame.skip}
      </a>
      <header className="top">
        <button type="button" className="icon-button" aria-label={frame.openMenu} onClick={() => setOpen(true)}>
          <MenuIcon />
        </button>
        {frame.product}
        <Bell />
      </header>
      <SideBar open={open} />
      <button
        type="button"
        className={`scrim${open ? ' open' : ''}`}
        aria-label={frame.closeMenu}
        onClick={() => setOpen(false)}
      />
      <div className="content-area">
        <main className="content" id="content" tabIndex={-1}>
          {isForbidden ? <ForbiddenPage name={page.name} /> : <Outlet />}
        </main>
        {may(session, 'admin') && below}
      </div>
      <PaletteShortcuts />
      <LeaveQuestion />
      {children}
    </div>
  );
}
