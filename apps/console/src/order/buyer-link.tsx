import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OrderDetail } from '#orders/order.contract';
import { may, sessionQuery } from '../api/session.js';
import { orderWords as words } from './order-words.js';

/** Leads to the buyer's page, for people who may find orders by their buyers. */
export function BuyerLink({ order }: Readonly<{ order: OrderDetail }>) {
  const { data: session } = useQuery(sessionQuery);
  if (order.personal_data !== 'kept' || !may(session, 'orders:act')) return null;
  return (
    <p className="small">
      <Link to="/buyers/$id" params={{ id: order.id }}>
        {words.allOrders}
      </Link>
    </p>
  );
}
