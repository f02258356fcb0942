import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { may, sessionQuery } from '../api/session.js';
import { frame } from '../words/frame.js';
import { Bell } from './bell.js';
import { Account } from './account.js';
import { Icon } from './icons.js';
import { LiveDot } from './live-dot.js';
import { Logo } from './logo.js';
import { useNavigation, useNavigationPage } from './navigation.js';
import { PaletteButton } from './palette-button.js';

/** Shows only pages that this person may open. */
export function SideBar({ open }: Readonly<{ open: boolean }>) {
  const { data: session } = useQuery(sessionQuery);
  const allowed = useNavigation().filter(({ needs }) => may(session, needs));
  const current = useNavigationPage()?.to;
  const link = ({ to, name, icon, Count }: (typeof allowed)[number]) => (
    <Link
      key={to}
      to={to}
      className="nav-link"
      title={name}
      {...(to === current && { 'aria-current': 'page' as const })}
    >
      <Icon lines={icon} />
      <span className="label">{name}</span>
      {Count && <Count />}
    </Link>
  );
  const settings = allowed.filter(({ isSetting }) => isSetting);
  return (
    <nav aria-label={frame.main} className={`side${open ? ' open' : ''}`}>
      <Link to="/orders" className="brand" title={frame.product}>
        <Logo />
        <span className="label">{frame.product}</span>
      </Link>
      <PaletteButton />
      <div>
        {allowed.filter(({ isSetting }) => !isSetting).map(link)}
        {settings.length > 0 && <p className="nav-heading">{frame.settings}</p>}
        {settings.map(link)}
      </div>
      <div className="grow" />
      <Bell />
      <LiveDot />
      {session && <Account session={session} />}
    </nav>
  );
}
