import { Link, useLocation } from '@tanstack/react-router';
import { frame } from '../words/frame.js';

/** The frame and a heading at an address whose page does not exist yet. No navigation leads here. */
export function PlannedPage() {
  const { pathname } = useLocation();
  const name = pathname.split('/').findLast((part) => part !== '') ?? '';
  return (
    <div className="page stack">
      <h1>{name.charAt(0).toUpperCase() + name.slice(1)}</h1>
      <p className="soft">{frame.notAvailable}</p>
      <p>
        <Link to="/orders">{frame.backToOrders}</Link>
      </p>
    </div>
  );
}
