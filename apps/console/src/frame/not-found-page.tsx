import { Link } from '@tanstack/react-router';
import { frame } from '../words/frame.js';

export function NotFoundPage() {
  return (
    <div className="page">
      <h1>{frame.notFound}</h1>
      <p className="soft">{frame.notFoundHint}</p>
      <Link to="/orders">{frame.backToOrders}</Link>
    </div>
  );
}
