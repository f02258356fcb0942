import type { OrderSummary } from '#orders/order.contract';
import { partsIn } from './found-parts.js';
import { Marked } from './marked.js';

/** The buyer, masked but for what was typed. */
export function BuyerText({ order }: Readonly<{ order: OrderSummary }>) {
  const { contact } = order;
  if (!contact) return <span className="soft">–</span>;
  const { name, email, phone } = contact;
  // Of the two, the one that was asked for.
  const byPhone = partsIn(order, 'phone');
  const reached = byPhone.length > 0 ? phone : (email ?? phone);
  return (
    <span title={[name, email, phone].filter(Boolean).join(' · ')}>
      {name !== null && <Marked text={name} parts={partsIn(order, 'name')} />}{' '}
      {reached !== null && (
        <span className="soft">
          <Marked text={reached} parts={[...partsIn(order, 'email'), ...byPhone]} />
        </span>
      )}
    </span>
  );
}
