import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/http.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { number } from '../words/formats.js';
import { firstRunWords } from './first-run-words.js';

const { sample: words } = firstRunWords;

/** Says that what is shown is invented, and takes it away. */
export function SampleBar() {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['sample'],
    queryFn: ({ signal }) => ask('GET sample', { signal }),
    staleTime: Infinity,
  });
  const [asking, setAsking] = useState(false);
  const removal = useMutationOnce({
    mutationFn: () => ask('DELETE sample'),
    onSuccess: () => {
      setAsking(false);
      // Every list and figure may have had some of it.
      return client.invalidateQueries();
    },
  });
  const removed = removal.data;
  if (removed) {
    return (
      <section className="sample-bar" aria-label={words.name}>
        <p role="status">{words.removed(number(removed.orders), number(removed.listings), number(removed.events))}</p>
        <Button variant="default" size="compact-xs" onClick={() => removal.reset()}>
          {words.close}
        </Button>
      </section>
    );
  }
  if (!data?.present) return null;
  return (
    <>
      <section className="sample-bar" aria-label={words.name}>
        <p>{words.bar}</p>
        <Button variant="default" size="compact-xs" onClick={() => setAsking(true)}>
          {words.remove}
        </Button>
      </section>
      {asking && (
        <ConfirmDialog
          title={words.title}
          apply={words.apply}
          cancel={words.keep}
          error={removal.error}
          busy={removal.isPending}
          isFinal
          onApply={() => removal.mutate()}
          onClose={() => setAsking(false)}
        >
          {words.goes}
          <span className="sample-stays">{words.stays}</span>
          <span className="sample-stays">{words.final}</span>
        </ConfirmDialog>
      )}
    </>
  );
}
