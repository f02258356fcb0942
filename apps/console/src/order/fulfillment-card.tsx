import { Button } from '@mantine/core';
import type { OrderDetail } from '#orders/order.contract';
import type { OrderAction } from '#orders/order-action.contract';
import { CopyButton } from '../frame/copy-button.js';
import { orderWords as words } from './order-words.js';
import { Card, Field } from './card.js';
import { corrects } from './corrections.js';
import { useOrderActions } from './use-order-actions.js';

type Props = Readonly<{
  order: OrderDetail;
  now: OrderDetail;
  isPast: boolean;
  onCorrect: (action: OrderAction) => void;
}>;

/** How the tickets were sent, and a button to correct it. */
export function FulfillmentCard({ order, now, isPast, onCorrect }: Props) {
  const { fulfillment } = order;
  const after = now.fulfillment;
  const actions = useOrderActions(now);
  const correction = actions?.find((action) => action.allowed && corrects(action, now));
  return (
    <Card title={words.cards.fulfillment}>
      {fulfillment?.type === 'ship' && (
        <dl>
          <Field
            name={words.field.carrier}
            value={fulfillment.data.carrier}
            {...(after?.type === 'ship' && { now: after.data.carrier })}
          />
          <Field
            name={words.field.tracking}
            value={<Copied text={fulfillment.data.tracking_number} what={words.field.tracking} />}
            compare={fulfillment.data.tracking_number}
            {...(after?.type === 'ship' && { now: after.data.tracking_number })}
          />
        </dl>
      )}
      {fulfillment?.type === 'download' && (
        <dl>
          <Field
            name={words.field.link}
            value={<Copied text={fulfillment.data.url} what={words.field.link} />}
            compare={fulfillment.data.url}
            {...(after?.type === 'download' && { now: after.data.url })}
          />
        </dl>
      )}
      {fulfillment === null && <p className={after === null ? 'soft' : 'soft differs'}>{words.notSent}</p>}
      {actions === undefined && fulfillment !== null && !isPast && <div className="button-space" />}
      {correction && !isPast && (
        <div className="row end-of-card">
          <Button variant="default" size="compact-sm" onClick={() => onCorrect(correction)}>
            {correction.label}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Copied({ text, what }: Readonly<{ text: string; what: string }>) {
  return (
    <span className="copied">
      {text} <CopyButton text={text} what={what} />
    </span>
  );
}
