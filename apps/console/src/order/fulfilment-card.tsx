import type { OrderDetail } from '#contracts/backoffice/order';
import { orderWords as words } from '../words/order.js';
import { Card, Field } from './card.js';

export function FulfilmentCard({ order, now }: Readonly<{ order: OrderDetail; now: OrderDetail }>) {
  const { fulfillment } = order;
  const after = now.fulfillment;
  return (
    <Card title={words.cards.fulfilment}>
      {fulfillment?.type === 'ship' && (
        <dl>
          <Field
            name={words.field.carrier}
            value={fulfillment.data.carrier}
            {...(after?.type === 'ship' && { now: after.data.carrier })}
          />
          <Field
            name={words.field.tracking}
            value={fulfillment.data.tracking_number}
            {...(after?.type === 'ship' && { now: after.data.tracking_number })}
          />
        </dl>
      )}
      {fulfillment?.type === 'download' && (
        <dl>
          <Field
            name={words.field.link}
            value={fulfillment.data.url}
            {...(after?.type === 'download' && { now: after.data.url })}
          />
        </dl>
      )}
      {fulfillment === null && <p className={after === null ? 'soft' : 'soft differs'}>{words.notSent}</p>}
    </Card>
  );
}
