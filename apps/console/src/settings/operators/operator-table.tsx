import { Button } from '@mantine/core';
import type { Operator } from '#accounts/operator.contract';
import { type Asked, DataTable } from '../../frame/data-table.js';
import { Time } from '../../frame/time.js';
import { operatorWords as words } from './operator-words.js';

type Act = (operator: Operator) => void;
type Props = Readonly<{
  operators: readonly Operator[];
  query: Asked;
  /** Nobody can disable or remove themselves. */
  me: string | undefined;
  onEdit: Act;
  onTurn: Act;
  onRemove: Act;
}>;

export function OperatorTable({ operators, query, me, onEdit, onTurn, onRemove }: Props) {
  return (
    <DataTable
      label={words.title}
      rows={operators}
      keyOf={({ id }) => id}
      empty={words.empty}
      query={query}
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
                onClick={() => onEdit(operator)}
              >
                {words.editShort}
              </Button>
              {operator.id !== me && (
                <>
                  <Button variant="default" size="compact-xs" onClick={() => onTurn(operator)}>
                    {operator.state === 'active' ? words.disable : words.enable}
                  </Button>
                  <Button variant="default" size="compact-xs" onClick={() => onRemove(operator)}>
                    {words.remove}
                  </Button>
                </>
              )}
            </span>
          ),
        },
      ]}
    />
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
