import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StreamToken } from '#outbound/stream-token.contract';
import { ask } from '../../api/http.js';
import { DataTable } from '../../frame/data-table.js';
import { Section } from '../../frame/section.js';
import { Time } from '../../frame/time.js';
import { tokenEndWords } from '../token-end-words.js';
import { keyWords } from './key-words.js';
import { EndingDialog } from '../ending-dialog.js';
import { TokenEnd } from '../token-end.js';
import { StreamTokenForm } from './stream-token-form.js';

const words = keyWords.stream;

export function StreamTokens() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['stream-tokens'],
    queryFn: ({ signal }) => ask('GET stream-tokens', { signal }),
  });
  const [adding, setAdding] = useState(false);
  const [revoked, setRevoked] = useState<StreamToken | null>(null);
  return (
    <Section
      title={words.title}
      hint={words.hint}
      action={
        <Button variant="default" onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      }
    >
      <DataTable
        label={words.title}
        rows={data?.stream_tokens ?? []}
        keyOf={({ id }) => id}
        empty={words.empty}
        query={{ error, isPending, refetch }}
        columns={[
          { id: 'name', name: words.name, cell: ({ name }) => <strong>{name}</strong> },
          {
            id: 'used',
            name: words.used,
            cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />),
          },
          { id: 'created', name: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
          { id: 'expires', name: tokenEndWords.ends, cell: (token) => <TokenEnd token={token} /> },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (token) =>
              token.revoked_at === null ? (
                <Button
                  variant="default"
                  size="compact-xs"
                  aria-label={words.revokeOf(token.name)}
                  onClick={() => setRevoked(token)}
                >
                  {words.revoke}
                </Button>
              ) : (
                <span className="soft">
                  {words.revoked} <Time at={token.revoked_at} />
                </span>
              ),
          },
        ]}
      />
      {adding && <StreamTokenForm usualDays={data?.token_days} onClose={() => setAdding(false)} />}
      {revoked && (
        <EndingDialog
          title={words.revokeOf(revoked.name)}
          apply={words.revoke}
          question={words.revokeAsk(revoked.name)}
          end={() => ask('DELETE stream-tokens/{id}', { path: { id: revoked.id } })}
          listKey="stream-tokens"
          onClose={() => setRevoked(null)}
        />
      )}
    </Section>
  );
}
