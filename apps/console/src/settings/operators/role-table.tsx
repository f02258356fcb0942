import { useQuery } from '@tanstack/react-query';
import type { Permission } from '#accounts/permission.contract';
import { DataTable } from '../../frame/data-table.js';
import { Section } from '../../frame/section.js';
import { operatorWords, roleWords as words } from './operator-words.js';
import { rolesQuery } from '../roles-query.js';

/** What each role may do. */
export function RoleTable() {
  const { data } = useQuery(rolesQuery);
  if (!data) return null;
  return (
    <Section title={words.title} hint={words.hint}>
      <DataTable
        label={words.title}
        rows={data.permissions}
        keyOf={(permission) => permission}
        empty=""
        columns={[
          { id: 'permission', name: words.permission, cell: (permission) => words.may[permission] },
          ...data.roles.map(({ name, permissions }) => ({
            id: name,
            name: operatorWords.role[name] ?? name,
            cell: (permission: Permission) =>
              permissions.includes(permission) ? words.yes : <span className="soft">–</span>,
          })),
        ]}
      />
    </Section>
  );
}
