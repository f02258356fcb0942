import { Button } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { Section } from '../frame/section.js';
import { Time } from '../frame/time.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { accountWords } from './account-words.js';

const words = accountWords.sessions;

const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async ({ signal }) => (await ask('GET session/all', { signal })).sessions,
});

/** Where the person is signed in. */
export function OwnSessions() {
  const client = useQueryClient();
  const { data: sessions = [], error, refetch } = useQuery(sessionsQuery);
  const end = useMutationOnce({
    mutationFn: () => ask('DELETE session/all'),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <Section title={words.title} hint={words.hint}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <ul className="own-sessions" aria-label={words.title}>
        {sessions.map(({ id, browser, address, current, created_at: createdAt, last_seen_at: seenAt }) => (
          <li key={id}>
            <div className="row">
              <strong>{browser ?? words.unknown}</strong>
              {current && <span className="small soft">{words.current}</span>}
            </div>
            <div className="small soft">
              {address} · {words.since} <Time at={createdAt} /> · {words.seen} <Time at={seenAt} />
            </div>
          </li>
        ))}
      </ul>
      {end.error && <Failure error={end.error} />}
      <div className="row">
        <Button variant="default" loading={end.isPending} disabled={sessions.length < 2} onClick={() => end.mutate()}>
          {words.end}
        </Button>
        <span role="status" className="small soft">
          {end.isSuccess ? words.ended : ''}
        </span>
      </div>
    </Section>
  );
}
