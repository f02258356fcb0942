import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import { mailsQuery } from '../api/mails.js';
import { Failure } from '../frame/failure.js';
import { Time } from '../frame/time.js';
import { lazyPart } from '../frame/lazy-part.js';
import { mailWords as words } from './ticket-files/mail-words.js';
import { Card, FilesSkeleton } from './card.js';

const MailDialog = lazyPart(async () => (await import('./ticket-files/mail-dialog.js')).MailDialog);

/** What was sent to the buyer by e-mail. `mayAct` is false without the permission, and in the past. */
export function MailCard({ order, mayAct }: Readonly<{ order: OrderDetail; mayAct: boolean }>) {
  const { data: mails, error } = useQuery({
    ...mailsQuery(order.id, order.version),
    placeholderData: keepPreviousData,
  });
  const [opened, setOpened] = useState(false);
  const [done, setDone] = useState('');
  return (
    <Card
      title={words.title}
      aside={
        mayAct &&
        order.status !== null && (
          <Button variant="default" size="compact-sm" onClick={() => setOpened(true)}>
            {words.send}
          </Button>
        )
      }
    >
      {error && <Failure error={error} />}
      <p role="status" className={done === '' ? 'visually-hidden' : 'small'}>
        {done}
      </p>
      {mails?.length === 0 && <p className="soft">{words.none}</p>}
      {!mails && !error && <FilesSkeleton />}
      <ul className="ticket-files">
        {mails?.toReversed().map((mail) => (
          <li key={mail.id} className="ticket-file">
            <div>
              <span className="ticket-file-name">{words.kind[mail.kind]}</span>
              <span className="second soft">
                {words.state[mail.state]} · <Time at={mail.sent_at ?? mail.created_at} />
                {mail.to !== null && ` · ${mail.to}`}
                {mail.attempts > 1 && ` · ${words.attempts(mail.attempts)}`}
              </span>
              {mail.error !== null && <span className="second soft">{mail.error}</span>}
            </div>
          </li>
        ))}
      </ul>
      {opened && (
        <MailDialog
          order={order}
          onClose={() => setOpened(false)}
          onDone={() => {
            setOpened(false);
            setDone(words.requested);
          }}
        />
      )}
    </Card>
  );
}
