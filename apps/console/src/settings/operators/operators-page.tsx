import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operator } from '#accounts/operator.contract';
import { ask } from '../../api/http.js';
import { sessionQuery } from '../../api/session.js';
import { DataTable } from '../../frame/data-table.js';
import { Failure } from '../../frame/failure.js';
import { PageHead } from '../../frame/page-head.js';
import { Time } from '../../frame/time.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { operatorWords as words } from './operator-words.js';
import { EndingDialog } from '../ending-dialog.js';
import { OperatorForm } from './operator-form.js';
import { RoleTable } from './role-table.js';

export function OperatorsPage() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['operators'],
    queryFn: ({ signal }) => ask('GET operators', { signal }),
  });
  const [edited, setEdited] = useState<Operator | 'new' | null>(null);
  const [removed, setRemoved] = useState<Operator | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['operators'] });
  const turn = useMutationOnce({
    keyOf: ({ id }) => id,
    mutationFn: ({ id, state }: Operator) =>
      ask('PATCH operators/{id}', { path: { id }, body: { state: state === 'active' ? 'disabled' : 'active' } }),
    onSuccess: refresh,
  });
  const isMe = ({ id }: Operator) => id === session?.operator.id;
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        <Button onClick={() => setEdited('new')}>{words.add}</Button>
      </PageHead>
      {turn.error && <Failure error={turn.error} />}
      <DataTable
        label={words.title}
        rows={data?.operators ?? []}
        keyOf={({ id }) => id}
        empty={words.empty}
        query={{ error, isPending, refetch }}
        columns={[
          { id: 'name', name: words.name, cell: ({ name }) => <strong>{name}</strong> },
          { id: 'email', name: words.email, cell: ({ email }) => email },
          { id: 'roles', name: words.roles, cell: (operator) => <Roles operator={operator} /> },
          {
            id: 'state',
            name: words.state,
            cell: ({ state }) => (
              <span className={`status ${state === 'active' ? 'confirmed' : 'none'}`}>
                <span>{words.states[state]}</span>
              </span>
            ),
          },
          {
            id: 'last-sign-in',
            name: words.lastSignIn,
            cell: ({ last_sign_in_at: at }) =>
              at === null ? <span className="soft">{words.neverSignedIn}</span> : <Time at={at} />,
          },
          { id: 'code', name: words.code, cell: ({ totp }) => (totp ? words.yes : words.no) },
          {
            id: 'acts',
            name: '',
            end: true,
            cell: (operator) => (
              <span className="row end">
                <Button
                  variant="default"
                  size="compact-xs"
                  aria-label={words.edit(operator.name)}
                  onClick={() => setEdited(operator)}
                >
                  {words.editShort}
                </Button>
                {!isMe(operator) && (
                  <>
                    <Button variant="default" size="compact-xs" onClick={() => turn.mutate(operator)}>
                      {operator.state === 'active' ? words.disable : words.enable}
                    </Button>
                    <Button variant="default" size="compact-xs" onClick={() => setRemoved(operator)}>
                      {words.remove}
                    </Button>
                  </>
                )}
              </span>
            ),
          },
        ]}
      />
      <RoleTable />
      {edited && <OperatorForm operator={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {removed && (
        <EndingDialog
          title={`${words.remove} ${removed.name}`}
          apply={words.remove}
          question={words.removeAsk(removed.name)}
          end={() => ask('DELETE operators/{id}', { path: { id: removed.id } })}
          listKey="operators"
          onClose={() => setRemoved(null)}
        />
      )}
    </div>
  );
}

/** With the sellers whose orders a broker sees. */
function Roles({ operator: { roles, sellers } }: Readonly<{ operator: Operator }>) {
  return (
    <span className="two-lines">
      <span>{roles.map((role) => words.role[role]).join(', ')}</span>
      {sellers !== null && <span className="soft small">{sellers.join(', ')}</span>}
    </span>
  );
}
