import { useQuery } from '@tanstack/react-query';
import type { TimelineEntry } from '#desk/timeline.contract';
import type { OrderDetail } from '#orders/order.contract';
import { may, sessionQuery } from '../api/session.js';
import { Time } from '../frame/time.js';
import { actorText } from './actors.js';
import { Card } from './card.js';
import { NoteForm } from './note-form.js';
import { orderWords as words } from './order-words.js';
import { writtenText } from './timeline-entries.js';
import { useEntries } from './use-entries.js';

type Props = Readonly<{
  order: OrderDetail;
  open: boolean;
  onOpen: (open: boolean) => void;
  isPast: boolean;
}>;

/** What people wrote about the order, newest first, and where they write. */
export function NotesCard({ order, isPast, ...form }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const notes = useEntries(order, isPast).filter(({ kind }) => kind === 'note');
  return (
    <Card
      isRegion={false}
      title={words.cards.notes}
      aside={notes.length > 0 && <span className="soft">{notes.length}</span>}
    >
      {may(session, 'orders:note') && (
        <NoteForm orderId={order.id} hasChoice={!session?.operator.sellers} isPast={isPast} {...form} />
      )}
      {notes.length === 0 && !form.open && <p className="soft">{words.noNotes}</p>}
      <ul className="notes">
        {notes.map((note, index) => (
          <Note key={`${note.at} ${index}`} note={note} isSeenByBroker={note.detail['visibility'] === 'partner'} />
        ))}
      </ul>
    </Card>
  );
}

function Note({ note, isSeenByBroker }: Readonly<{ note: TimelineEntry; isSeenByBroker: boolean }>) {
  return (
    <li>
      <p className="note-text">{writtenText(note)}</p>
      <span className="soft small">
        {actorText(note.actor, note.actor_name)} · <Time at={note.at} />
        {isSeenByBroker && ` · ${words.noteSeen}`}
      </span>
    </li>
  );
}
