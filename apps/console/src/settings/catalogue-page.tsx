import { useQuery } from '@tanstack/react-query';
import type { StatusCatalogueView } from '#contracts/backoffice/status-catalogue';
import { ask } from '../api/http.js';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { PageHead } from '../frame/page-head.js';
import { Section } from '../frame/section.js';
import { catalogueWords as words } from '../words/catalogue.js';

type Status = StatusCatalogueView['statuses'][number];
type Group = Status['status'];

/** The statuses as they are in use. They are changed in their file, because a wrong one would stop every order. */
export function CataloguePage() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['status-catalogue'],
    queryFn: ({ signal }) => ask<StatusCatalogueView>('status-catalogue', { signal }),
  });
  return (
    <div className="page">
      <PageHead title={words.title} {...(data && { hint: words.hint(data.version) })} />
      {error && <Failure error={error} retry={() => void refetch()} />}
      <DataTable
        label={words.statuses}
        rows={data?.statuses ?? []}
        keyOf={({ status_code: code }) => String(code)}
        empty=""
        loading={isPending}
        columns={[
          { id: 'code', name: words.code, cell: ({ status_code: code }) => <span className="mono">{code}</span> },
          { id: 'group', name: words.group, cell: ({ status }) => <Dot group={status} /> },
          { id: 'message', name: words.message, cell: ({ status_message: message }) => message },
          {
            id: 'label',
            name: words.label,
            cell: ({ label }) => label ?? <span className="soft">{words.noButton}</span>,
          },
          { id: 'sets', name: words.sets, cell: setBy },
        ]}
      />
      {data && (
        <Section title={words.follows}>
          <DataTable
            label={words.follows}
            rows={Object.entries(data.transitions) as [Group, readonly Group[]][]}
            keyOf={([from]) => from}
            empty=""
            columns={[
              { id: 'from', name: words.from, cell: ([from]) => <Dot group={from} /> },
              { id: 'to', name: words.to, cell: ([, to]) => following(to) },
            ]}
          />
        </Section>
      )}
      <p className="soft small">{words.changing}</p>
    </div>
  );
}

function Dot({ group }: Readonly<{ group: Group }>) {
  return (
    <span className={`status ${group}`}>
      <span>{words.name[group]}</span>
    </span>
  );
}

const setBy = ({ roles }: Status) => roles.map((role) => words.role[role] ?? role).join(', ') || '–';

const following = (to: readonly Group[]) => to.map((group) => words.name[group]).join(', ') || words.final;
