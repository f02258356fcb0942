import { Checkbox } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { inboxWords } from './inbox-words.js';

const words = inboxWords.email;

const settingsQuery = queryOptions({
  queryKey: ['inbox-settings'],
  queryFn: ({ signal }) => ask('GET inbox/settings', { signal }),
});

/** Whether the person gets notices by e-mail too. */
export function EmailChoice() {
  const client = useQueryClient();
  const { data, error } = useQuery(settingsQuery);
  const save = useMutationOnce({
    mutationFn: (email: boolean) => ask('PUT inbox/settings', { body: { email } }),
    onSuccess: (saved) => client.setQueryData(settingsQuery.queryKey, saved),
  });
  return (
    <section className="section" aria-label={words.title}>
      <h2>{words.title}</h2>
      <Checkbox
        label={words.label}
        description={words.hint}
        checked={save.isPending ? save.variables : (data?.email ?? false)}
        disabled={!data}
        onChange={({ currentTarget }) => save.mutate(currentTarget.checked)}
      />
      {[error, save.error].map((fault, index) => fault && <Failure key={index} error={fault} />)}
      <span role="status" className="small soft">
        {save.isSuccess ? words.saved : ''}
      </span>
    </section>
  );
}
