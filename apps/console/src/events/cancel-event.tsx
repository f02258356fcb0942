import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { may, sessionQuery } from '../api/session.js';
import { JobDialog } from '../jobs/job-dialog.js';
import { bulkWords as words } from '../words/jobs.js';

/** The button that cancels the event, after it has shown what follows. */
export function CancelEvent({ id }: Readonly<{ id: string }>) {
  const { data: session } = useQuery(sessionQuery);
  const [isAsked, setIsAsked] = useState(false);
  const [note, setNote] = useState('');
  if (!may(session, 'runs:act')) return null;
  const noted = note.trim() === '' ? {} : { note: note.trim() };
  return (
    <>
      <Button variant="default" onClick={() => setIsAsked(true)}>
        {words.cancelEvent}
      </Button>
      {isAsked && (
        <JobDialog
          title={words.cancelEventTitle}
          start={words.startCancelling}
          cancel={words.keepEvent}
          job={{ kind: 'cancel_event', event_id: id, arguments: noted }}
          onClose={() => setIsAsked(false)}
        >
          <p>{words.cancelEventHint}</p>
          <Textarea
            label={words.note}
            description={words.noteHint}
            value={note}
            maxLength={2_000}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            data-autofocus
          />
        </JobDialog>
      )}
    </>
  );
}
