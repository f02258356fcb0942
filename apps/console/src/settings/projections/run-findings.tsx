import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MaintenanceRun } from '#upkeep/maintenance.contract';
import { ask } from '../../api/http.js';
import { DataTable } from '../../frame/data-table.js';
import { Section } from '../../frame/section.js';
import { ShortId } from '../../frame/short-id.js';
import { exactTime, number } from '../../words/formats.js';
import { projectionWords as words } from './projection-words.js';

type Finding = NonNullable<MaintenanceRun['findings']>[number];

const ORDER = /^(?:order-)?(ord_\w+)$/;

/** Where the stored data differs from the events, as one verification found it. */
export function RunFindings({ id }: Readonly<{ id: string }>) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['maintenance-runs', id],
    queryFn: ({ signal }) => ask('GET maintenance-runs/{id}', { path: { id }, signal }),
  });
  return (
    <Section
      title={data ? words.findingsOf(exactTime(data.requested_at)) : words.findings}
      hint={words.findingsHint}
      action={
        <Link to="/settings/projections" search={{}}>
          {words.close}
        </Link>
      }
    >
      {data?.checked && <p className="soft small">{words.checked(checkedText(data.checked))}</p>}
      <DataTable
        label={words.findings}
        rows={data?.findings ?? []}
        keyOf={(finding) => JSON.stringify(finding)}
        empty={data?.checked?.['events'] === 0 ? words.emptyLog : words.noFindings}
        query={{ error, isPending, refetch }}
        columns={[
          { id: 'kind', name: words.finding.kind, cell: ({ kind }) => kind },
          { id: 'id', name: words.finding.id, cell: ({ id: of }) => <Place of={of} /> },
          { id: 'place', name: words.finding.place, cell: placeText },
          { id: 'problem', name: words.finding.problem, cell: ({ problem }) => problem },
        ]}
      />
    </Section>
  );
}

function Place({ of }: Readonly<{ of: string }>) {
  const [, order] = ORDER.exec(of) ?? [];
  if (order === undefined) return <span className="mono">{of}</span>;
  return (
    <Link to="/orders/$id" params={{ id: order }}>
      <ShortId id={order} />
    </Link>
  );
}

const placeText = ({ at, column }: Finding) => [at, column].filter((part) => part !== undefined).join(' · ');

function checkedText(checked: Readonly<Record<string, number>>): string {
  return Object.entries(checked)
    .map(([name, count]) => `${number(count)} ${name.replaceAll('_', ' ')}`)
    .join(', ');
}
