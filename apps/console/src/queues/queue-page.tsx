import './queues.css';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { acceptOrder, queuesQuery } from '../api/queues.js';
import { may, sessionQuery } from '../api/session.js';
import { Failure } from '../frame/failure.js';
import { ShortcutList } from '../frame/shortcut-list.js';
import { PageHead } from '../frame/page-head.js';
import { type Editing, QueueDialogs } from './queue-dialogs.js';
import { QueueLine } from './queue-line.js';
import { QueueTabs } from './queue-tabs.js';
import { QueueWork } from './queue-work.js';
import { queueWords as words } from './queue-words.js';
import { useHeldAct } from './use-held-act.js';
import { useQueue } from './use-queue.js';
import { useSplitView } from './use-split-view.js';
import { useQueueShortcuts } from './use-queue-shortcuts.js';

/** Works through a queue from top to bottom: whatever is decided leaves the list, and the next order takes its place. */
export function QueuePage() {
  const client = useQueryClient();
  const acting = useHeldAct((order) => acceptOrder(client, order));
  const state = useQueue(acting.taken);
  const { id, part, queue, queues, error } = state;
  const { isWide, isSplit, kept, toggle } = useSplitView();
  const navigate = useNavigate();
  const { data: session } = useQuery(sessionQuery);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [helpOpen, setHelpOpen] = useState(false);
  const [news, setNews] = useState('');
  const mayAct = may(session, 'orders:act');
  const seesAll = session?.operator.sellers === null;
  const show = (to: string, ignoreBlocker = false) =>
    void navigate({ to: '/work/$id', params: { id: to }, search: kept, ignoreBlocker });
  const escalate = may(session, 'runs:act') && seesAll ? () => setEditing('escalation') : undefined;
  useQueueShortcuts(state, { escalate, split: toggle, show, help: () => setHelpOpen(true) });
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        {isWide && (
          <Button variant="default" className="split-toggle" aria-pressed={isSplit} onClick={toggle}>
            {words.split}
          </Button>
        )}
        {mayAct && seesAll && <SharedButtons isCustom={queue?.built_in === false} onEdit={setEditing} />}
      </PageHead>
      <QueueTabs queues={queues} chosen={id} search={kept} />
      {error && (
        <Failure error={error} retry={() => void client.invalidateQueries({ queryKey: queuesQuery.queryKey })} />
      )}
      <QueueLine
        queue={queue}
        part={part}
        onShow={(chosen) =>
          void navigate({
            to: '/work/$id',
            params: { id },
            search: { ...kept, ...(chosen !== 'waiting' && { [chosen]: '1' }) },
          })
        }
        {...(escalate && { onEscalation: escalate })}
      />
      <QueueWork state={state} acting={acting} mayAct={mayAct} isSplit={isSplit} />
      <p role="status" className="visually-hidden">
        {news}
      </p>
      <QueueDialogs
        editing={editing}
        queue={queue}
        onClose={() => setEditing(null)}
        onShow={(to) => show(to, true)}
        onNews={setNews}
      />
      <ShortcutList keys={words.keys} opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

type ButtonProps = Readonly<{ isCustom: boolean; onEdit: (what: Editing) => void }>;

/** Built-in queues cannot be changed. The macros are for the orders of any queue. */
function SharedButtons({ isCustom, onEdit }: ButtonProps) {
  return (
    <>
      {isCustom && (
        <>
          <Button variant="default" onClick={() => onEdit('edit')}>
            {words.custom.edit}
          </Button>
          <Button variant="default" onClick={() => onEdit('remove')}>
            {words.custom.remove}
          </Button>
        </>
      )}
      <Button variant="default" onClick={() => onEdit('macros')}>
        {words.macros}
      </Button>
      <Button onClick={() => onEdit('new')}>{words.custom.add}</Button>
    </>
  );
}
