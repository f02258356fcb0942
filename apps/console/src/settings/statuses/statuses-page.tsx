import { useQuery } from '@tanstack/react-query';
import type { StatusCatalogueView } from '#orders/status-catalogue.contract';
import { DataTable } from '../../frame/data-table.js';
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { may, sessionQuery } from '../../api/session.js';
import { statusCatalogueQuery } from '../../api/status-catalogue.js';
import { PageHead } from '../../frame/page-head.js';
import { Section } from '../../frame/section.js';
import { wordFor } from '../../words/word-for.js';
import { GROUPS } from './status-catalogue-draft.js';
import { statusesWords as words } from './statuses-words.js';
import { StatusCatalogueEditor } from './status-catalogue-editor.js';
import { StatusCatalogueVersions } from './status-catalogue-versions.js';

type Status = StatusCatalogueView['statuses'][number];
type Group = Status['status'];

/** The statuses as they are in use. The address says whether they are edited. */
export function StatusesPage() {
  const search = useSearch({ from: '/frame/settings/catalogue' });
  const { edit } = search;
  const { data: session } = useQuery(sessionQuery);
  const mayEdit = may(session, 'admin');
  return edit !== undefined && mayEdit ? <StatusCatalogueEditor /> : <UsedCatalogue mayEdit={mayEdit} />;
}

function UsedCatalogue({ mayEdit }: Readonly<{ mayEdit: boolean }>) {
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(statusCatalogueQuery);
  return (
    <div className="page">
      <PageHead title={words.title} {...(data && { hint: words.hint(data.version) })}>
        {mayEdit && data && data.source !== 'file' && (
          <Button onClick={() => void navigate({ to: '/settings/catalogue', search: { edit: 'true' } })}>
            {words.edit}
          </Button>
        )}
      </PageHead>
      {data?.source === 'file' && <p className="news">{words.byFile}</p>}
      <DataTable
        label={words.statuses}
        rows={data?.statuses ?? []}
        keyOf={({ status_code: code }) => String(code)}
        empty=""
        query={{ error, isPending, refetch }}
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
            rows={GROUPS.map((from) => [from, data.transitions[from]] as const)}
            keyOf={([from]) => from}
            empty=""
            columns={[
              { id: 'from', name: words.from, cell: ([from]) => <Dot group={from} /> },
              { id: 'to', name: words.to, cell: ([, to]) => following(to) },
            ]}
          />
        </Section>
      )}
      {mayEdit && data && data.source !== 'file' && <StatusCatalogueVersions />}
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

const setBy = ({ roles }: Status) => roles.map((role) => wordFor(words.role, role) ?? role).join(', ') || '–';

const following = (to: readonly Group[]) => to.map((group) => words.name[group]).join(', ') || words.final;
