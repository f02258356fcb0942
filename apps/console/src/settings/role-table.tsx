import { useQuery } from '@tanstack/react-query';
import type { RoleTable as Roles } from '#contracts/backoffice/permission';
import { ask } from '../api/http.js';
import { DataTable } from '../frame/data-table.js';
import { Section } from '../frame/section.js';
import { settingsWords } from '../words/settings.js';

const words = settingsWords.roles;

/** What each role may do, from the table that the api guards its routes by. */
export function RoleTable() {
  const { data } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => ask<Roles>('roles', { signal }),
    staleTime: Infinity,
  });
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
            name: settingsWords.operators.role[name] ?? name,
            cell: (permission: Roles['permissions'][number]) =>
              permissions.includes(permission) ? words.yes : <span className="soft">–</span>,
          })),
        ]}
      />
    </Section>
  );
}
