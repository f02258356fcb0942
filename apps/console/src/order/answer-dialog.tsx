import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { OrderAction } from '#orders/order-action.contract';
import { actionsQuery, orderQuery } from '../api/desk.js';
import { Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { answerWords as words } from '../words/answers.js';
import { ChosenDialog } from './order-dialogs.js';

/** `accept`: says yes in the way that the order waits for. */
export type AskedAction = OrderAction['action'];

type Props = Readonly<{
  orderId: string;
  answer: AskedAction;
  onClose: () => void;
  onDone: (news: string) => void;
}>;

/** Answers for the broker, or does another action, from a page other than the order's. */
export function AnswerDialog({ orderId, answer, onClose, onDone }: Props) {
  const { data: order, error } = useQuery(orderQuery(orderId));
  const { data: actions } = useQuery({
    ...actionsQuery(orderId, order?.version ?? 0),
    enabled: order !== undefined,
  });
  // An order under review is approved, and does not skip its broker.
  const wanted = answer === 'accept' ? ['approve', 'accept'] : [answer];
  const found = actions?.find(({ action, allowed }) => wanted.includes(action) && allowed);
  // A colleague's change must not replace the dialog, which reports the change itself.
  const [chosen, setChosen] = useState<OrderAction | null>(null);
  useEffect(() => {
    if (found) setChosen((before) => before ?? found);
  }, [found]);
  const [gone, setGone] = useState('');
  if (order && chosen && gone === '')
    return <ChosenDialog order={order} action={chosen} onClose={onClose} onDone={onDone} onGone={setGone} />;
  if (!error && gone === '' && (!actions || found)) return null;
  return (
    <Dialog title={orderId} typed={null} onClose={onClose}>
      <div className="stack">
        {error ? <Failure error={error} /> : <p role="alert">{gone || words.gone}</p>}
        <div className="row end">
          <Button onClick={onClose}>{words.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
