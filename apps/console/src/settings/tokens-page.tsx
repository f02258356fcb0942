import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiToken, ApiTokenList } from '#contracts/backoffice/api-token';
import { ask } from '../api/http.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { DataTable } from '../frame/data-table.js';
import { PageHead } from '../frame/page-head.js';
import { Time } from '../frame/time.js';
import { settingsWords } from '../words/settings.js';
import { TokenForm } from './token-form.js';

const words = settingsWords.tokens;

export function TokensPage() {
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => ask<ApiTokenList>('tokens', { signal }),
  });
  const [adding, setAdding] = useState(false);
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  const revoke = useMutation({
    mutationFn: ({ id }: ApiToken) => ask(`tokens/${id}`, { method: 'DELETE' }),
    onSuccess: () => {
      setRevoked(null);
      return client.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
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
          { id: 'created', name: words.created, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            id: 'used',
            name: words.used,
            cell: ({ last_used_at }) => (last_used_at === null ? words.never : <Time at={last_used_at} />),
          },
          {
            id: 'expires',
            name: words.expires,
            cell: ({ expires_at }) => (expires_at === null ? words.never : <Time at={expires_at} />),
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
      {adding && <TokenForm onClose={() => setAdding(false)} />}
      {revoked && (
        <ConfirmDialog
          title={`${words.revoke} ${revoked.name}`}
          apply={words.revoke}
          cancel={settingsWords.cancel}
          error={revoke.error}
          busy={revoke.isPending}
          onApply={() => revoke.mutate(revoked)}
          onClose={() => setRevoked(null)}
        >
          {words.revokeAsk(revoked.name)}
        </ConfirmDialog>
      )}
    </div>
  );
}
