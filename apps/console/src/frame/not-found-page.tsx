import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { frame } from '../words/frame.js';
import { Logo } from './logo.js';

export function NotFoundPage() {
  useEffect(() => {
    document.title = `${frame.notFound} · Willcall`;
  }, []);
  return (
    <main className="not-found">
      <Logo size={32} />
      <h1>{frame.notFound}</h1>
      <p className="soft">{frame.notFoundHint}</p>
      <Link to="/orders">{frame.backToOrders}</Link>
    </main>
  );
}
