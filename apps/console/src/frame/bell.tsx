import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session.js';
import { Icon } from './icons.js';
import { onPeopleNews } from '../live/live-changes.js';
import { frame } from '../words/frame.js';
import { unreadQuery } from '../api/inbox.js';

const MOST = 99;

/** Leads to the notices, and says how many are new. */
export function Bell() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { data: unread = 0 } = useQuery({ ...unreadQuery, enabled: session != null });
  useEffect(
    () => onPeopleNews(({ inbox }) => void (inbox && client.invalidateQueries({ queryKey: ['inbox'] }))),
    [client],
  );
  const count = unread > MOST ? `${MOST}+` : String(unread);
  return (
    <Link to="/notices" className="nav-link bell" title={frame.notices}>
      <Icon lines="M6 17h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v4.5zM10 20h4" />
      <span className="label">{frame.notices}</span>
      {unread > 0 && (
        <span className="bell-count">
          {count}
          <span className="visually-hidden"> {frame.unread}</span>
        </span>
      )}
    </Link>
  );
}
