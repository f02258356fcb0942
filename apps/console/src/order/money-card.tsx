import type { OrderDetail } from '#orders/order.contract';
import { money } from '../words/formats.js';
import { orderWords as words } from './order-words.js';
import { Card, Field } from './card.js';

type Payment = OrderDetail['payment'];

/** `visa ···· 1111`, or the source of the money in words if there is no card. */
export function cardText(payment: Payment): string {
  if (!payment) return words.noPayment;
  const kind = payment.brand ?? words.paymentKind[payment.type] ?? payment.type;
  return payment.last_four === null ? kind : `${kind} ···· ${payment.last_four}`;
}

const stateText = (payment: Payment) => (payment ? (words.paymentState[payment.state] ?? payment.state) : undefined);

export function MoneyCard({ order, now }: Readonly<{ order: OrderDetail; now: OrderDetail }>) {
  const { payment } = order;
  return (
    <Card title={words.cards.money} aside={<strong>{money(order.total)}</strong>}>
      {payment ? (
        <dl>
          <Field name={words.field.payment} value={stateText(payment)} now={stateText(now.payment)} />
          {payment.returned !== undefined && <Field name={words.field.returned} value={money(payment.returned)} />}
          {payment.return_due !== undefined && <Field name={words.field.returnDue} value={money(payment.return_due)} />}
          <Field name={words.field.card} value={cardText(payment)} />
          {payment.reason !== null && <Field name={words.field.reason} value={payment.reason} />}
          {payment.reference !== null && (
            <Field name={words.field.reference} value={<span className="mono">{payment.reference}</span>} />
          )}
        </dl>
      ) : (
        <p className="soft">{order.variant === 'wholesale' ? words.wholesale : words.noPayment}</p>
      )}
    </Card>
  );
}
