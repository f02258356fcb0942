import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiToken } from '#accounts/api-token.contract';
import { ask } from '../../api/http.js';
import { DataTable } from '../../frame/data-table.js';
import { PageHead } from '../../frame/page-head.js';
import { Time } from '../../frame/time.js';
import { tokenEndWords } from '../token-end-words.js';
import { tokenWords as words } from './token-words.js';
import { EndingDialog } from '../ending-dialog.js';
import { TokenEnd } from '../token-end.js';
import { TokenForm } from './token-form.js';

export function TokensPage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => ask('GET tokens', { signal }),
  });
  const [adding, setAdding] = useState(false);
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        <Button onClick={() => setAdding(true)}>{words.add}</Button>
      </PageHead>
      <DataTable
        label={words.title}
        rows={data?.tokens ?? []}
        keyOf={({ id }) => id}
        empty={words.empty}
        query={{ error, isPending, refetch }}
        columns={[
          { id: 'name', name: words.name, cell: ({ name }) => <strong>{name}</strong> },
          { id: 'scopes', name: words.scopes, cell: ({ scopes }) => <span className="mono">{scopes.join(' ')}</span> },
          {
            id: 'sellers',
            name: words.sellers,
            cell: ({ sellers }) => sellers?.join(', ') ?? <span className="soft">{words.allSellers}</span>,
          },
          { id: 'created', name: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            id: 'used',
            name: words.used,
            cell: ({ last_used_at }) => (last_used_at === null ? words.never : <Time at={last_used_at} />),
          },
          {
            id: 'expires',
            name: tokenEndWords.ends,
            cell: (token) => <TokenEnd token={token} />,
          },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (token) =>
              token.revoked_at === null ? (
                <Button variant="default" size="compact-xs" onClick={() => setRevoked(token)}>
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
      {adding && <TokenForm usualDays={data?.token_days} onClose={() => setAdding(false)} />}
      {revoked && (
        <EndingDialog
          title={`${words.revoke} ${revoked.name}`}
          apply={words.revoke}
          question={words.revokeAsk(revoked.name)}
          end={() => ask('DELETE tokens/{id}', { path: { id: revoked.id } })}
          listKey="tokens"
          onClose={() => setRevoked(null)}
        />
      )}
    </div>
  );
}
