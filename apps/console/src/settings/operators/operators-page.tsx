import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operator } from '#accounts/operator.contract';
import { ask } from '../../api/http.js';
import { sessionQuery } from '../../api/session.js';
import { Failure } from '../../frame/failure.js';
import { PageHead } from '../../frame/page-head.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { operatorWords as words } from './operator-words.js';
import { EndingDialog } from '../ending-dialog.js';
import { OperatorForm } from './operator-form.js';
import { OperatorTable } from './operator-table.js';
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
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint}>
        <Button onClick={() => setEdited('new')}>{words.add}</Button>
      </PageHead>
      {turn.error && <Failure error={turn.error} />}
      <OperatorTable
        operators={data?.operators ?? []}
        query={{ error, isPending, refetch }}
        me={session?.operator.id}
        onEdit={setEdited}
        onTurn={(operator) => turn.mutate(operator)}
        onRemove={setRemoved}
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
