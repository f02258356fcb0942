import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask } from '../../api/http.js';
import { DataTable } from '../../frame/data-table.js';
import { Section } from '../../frame/section.js';
import { Time } from '../../frame/time.js';
import { statusesWords as words } from './statuses-words.js';

/** The catalogue as it was written, with its versions. */
export const statusCatalogueSourceQuery = queryOptions({
  queryKey: ['status-catalogue', 'source'],
  queryFn: ({ signal }) => ask('GET status-catalogue/source', { signal }),
});

/** Who has saved which version. */
export function StatusCatalogueVersions() {
  const { data, error, isPending, refetch } = useQuery(statusCatalogueSourceQuery);
  return (
    <Section title={words.versions}>
      <DataTable
        label={words.versions}
        rows={data?.versions ?? []}
        keyOf={({ version }) => String(version)}
        empty={words.noVersions}
        query={{ error, isPending, refetch }}
        columns={[
          { id: 'version', name: words.version, cell: ({ version }) => version },
          {
            id: 'by',
            name: words.savedBy,
            cell: ({ saved_by_name: name, saved_by: actor }) => name ?? <span className="mono">{actor}</span>,
          },
          { id: 'at', name: words.savedAt, cell: ({ saved_at: at }) => <Time at={at} /> },
        ]}
      />
    </Section>
  );
}
