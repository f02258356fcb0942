import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { NoteField } from '../frame/note-field.js';
import { JobDialog } from '../jobs/job-dialog.js';
import { NEW_REFUND, RefundFields, refundOf, type TypedRefund } from '../jobs/refund-fields.js';
import { instantOf } from '../words/time-zone.js';
import { showRunWords as words } from './show-run-words.js';
import type { FoundVenue } from './venue-choice.js';
import { VenueChoice } from './venue-choice.js';

type Props = Readonly<{ id: string; onClose: () => void }>;

/** Shows what follows of a cancellation, and begins it. */
export function CancelDialog({ id, onClose }: Props) {
  const [note, setNote] = useState('');
  return (
    <JobDialog
      title={words.cancel.title}
      start={words.cancel.start}
      cancel={words.keep}
      job={{ kind: 'cancel_event', event_id: id, arguments: noted(note) }}
      typed={note}
      onClose={onClose}
    >
      <p>{words.cancel.hint}</p>
      <NoteField label={words.note} hint={words.noteHint} note={note} onChange={setNote} hasFocus />
    </JobDialog>
  );
}

/** Asks for the new date by the clock of the venue. */
export function PostponeDialog({ id, onClose }: Props) {
  const [date, setDate] = useState('');
  const [isUnknown, setIsUnknown] = useState(false);
  const [until, setUntil] = useState('');
  const [note, setNote] = useState('');
  const when = {
    ...(!isUnknown && { datetime_local: date }),
    ...(until !== '' && { choice_until: instantOf(until).toISOString() }),
  };
  const isReady = isUnknown || date !== '';
  return (
    <JobDialog
      title={words.postpone.title}
      start={words.postpone.start}
      cancel={words.keep}
      job={isReady ? { kind: 'postpone_event', event_id: id, arguments: { ...when, ...noted(note) } } : undefined}
      typed={{ date, isUnknown, until, note }}
      onClose={onClose}
    >
      <p>{words.postpone.hint}</p>
      <TextInput
        type="datetime-local"
        label={words.postpone.date}
        description={words.postpone.dateHint}
        value={date}
        disabled={isUnknown}
        onChange={({ currentTarget }) => setDate(currentTarget.value)}
        data-autofocus
      />
      <Checkbox
        label={words.postpone.unknown}
        checked={isUnknown}
        onChange={({ currentTarget }) => setIsUnknown(currentTarget.checked)}
      />
      <TextInput
        type="datetime-local"
        label={words.postpone.choice}
        description={words.postpone.choiceHint}
        value={until}
        onChange={({ currentTarget }) => setUntil(currentTarget.value)}
      />
      <NoteField label={words.note} hint={words.brokerNoteHint} note={note} onChange={setNote} />
    </JobDialog>
  );
}

/** Asks for the new venue, and for another date if there is one. */
export function MoveDialog({ id, onClose }: Props) {
  const [venue, setVenue] = useState<FoundVenue>();
  const [date, setDate] = useState('');
  const [note, setNote] = useState('');
  const where = venue && { venue_id: venue.id, ...(date !== '' && { datetime_local: date }) };
  return (
    <JobDialog
      title={words.move.title}
      start={words.move.start}
      cancel={words.keep}
      job={where && { kind: 'move_event', event_id: id, arguments: { ...where, ...noted(note) } }}
      typed={{ venue, date, note }}
      onClose={onClose}
    >
      <p>{words.move.hint}</p>
      <VenueChoice chosen={venue} onChoose={setVenue} />
      <TextInput
        type="datetime-local"
        label={words.move.date}
        description={words.move.dateHint}
        value={date}
        onChange={({ currentTarget }) => setDate(currentTarget.value)}
      />
      <NoteField label={words.note} hint={words.brokerNoteHint} note={note} onChange={setNote} />
    </JobDialog>
  );
}

/** Gives the same back for each order of the show. */
export function RefundDialog({ id, onClose }: Props) {
  const [refund, setRefund] = useState<TypedRefund>({ ...NEW_REFUND, reason: 'event_postponed' });
  const [note, setNote] = useState('');
  const refunded = refundOf(refund);
  return (
    <JobDialog
      title={words.refund.title}
      start={words.refund.start}
      cancel={words.cancelRefund}
      job={refunded && { kind: 'refund', event_id: id, arguments: { ...refunded, ...noted(note) } }}
      typed={{ refund, note }}
      onClose={onClose}
    >
      <p>{words.refund.hint}</p>
      <RefundFields refund={refund} onChange={setRefund} />
      <NoteField label={words.note} hint={words.noteHint} note={note} onChange={setNote} />
    </JobDialog>
  );
}

const noted = (note: string) => (note.trim() === '' ? {} : { note: note.trim() });
