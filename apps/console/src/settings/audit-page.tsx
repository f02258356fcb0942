import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button } from '@mantine/core';
import type { AuditEntry, AuditPage as AuditAnswer } from '#contracts/backoffice/audit';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.js';
import { ShortId } from '../frame/short-id.js';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { PageHead } from '../frame/page-head.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { clockTime, dayText, exactTime } from '../words/formats.js';
import { settingsWords } from '../words/settings.js';

const words = settingsWords.audit;
const FIELDS = ['actor', 'action', 'subject'] as const;

const PAGE = 100;

/** Who did what, newest first. The address says what it is filtered by. */
export function AuditPage() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const asked = Object.fromEntries(
    FIELDS.map((field) => [field, typeof search[field] === 'string' ? search[field] : '']),
  );
  const [typed, setTyped] = useState<Record<string, string>>(asked);
  const query = new URLSearchParams({ limit: `${PAGE}` });
  for (const field of FIELDS) if (asked[field]) query.set(field, asked[field]);
  const list = usePageQuery<AuditAnswer, AuditEntry>(`audit?${query.toString()}`, ({ entries }) => entries);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filled = Object.entries(typed).filter(([, value]) => value.trim() !== '');
    void navigate({ to: '/settings/audit', search: Object.fromEntries(filled) as never });
  };
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint} />
      <form className="filters" onSubmit={submit}>
        {FIELDS.map((field) => (
          <input
            key={field}
            aria-label={words[field]}
            placeholder={words[field]}
            value={typed[field] ?? ''}
            onChange={({ currentTarget }) => setTyped({ ...typed, [field]: currentTarget.value })}
          />
        ))}
        <Button type="submit" variant="default" size="sm">
          {words.filter}
        </Button>
      </form>
      {list.error && <Failure error={list.error} retry={() => void list.refetch()} />}
      <DataTable
        label={words.title}
        rows={list.rows}
        keyOf={({ id }) => id}
        empty={words.empty}
        loading={list.isPending}
        columns={[
          { id: 'at', name: words.at, cell: ({ at }) => <Moment at={at} /> },
          { id: 'actor', name: words.actor, cell: ({ actor }) => <Name text={actor} /> },
          { id: 'action', name: words.action, cell: ({ action }) => <strong>{action}</strong> },
          { id: 'subject', name: words.subject, cell: ({ subject }) => <Subject subject={subject} /> },
          { id: 'address', name: words.address, cell: ({ address }) => <span className="soft">{address}</span> },
          { id: 'detail', name: words.detail, cell: ({ detail }) => <Detail detail={detail} /> },
        ]}
      />
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </div>
  );
}

function Subject({ subject }: Readonly<{ subject: string }>) {
  const [, order] = /^order:(.+)$/.exec(subject) ?? [];
  if (order === undefined) return <Name text={subject} />;
  return (
    <Link to="/orders/$id" params={{ id: order }}>
      <Name text={subject} />
    </Link>
  );
}

/** `operator:opr_…`, shortened; the name if it is the person who reads. */
function Name({ text }: Readonly<{ text: string }>) {
  const { data: session } = useQuery(sessionQuery);
  if (text === `operator:${session?.operator.id}`) return <span title={text}>{session?.operator.name}</span>;
  const [kind = '', ...rest] = text.split(':');
  return (
    <span className="nowrap" title={text}>
      {kind} <ShortId id={rest.join(':')} />
    </span>
  );
}

function Moment({ at }: Readonly<{ at: string }>) {
  return (
    <time dateTime={at} title={exactTime(at)} className="nowrap">
      {dayText(at)} <span className="soft">{clockTime(at)}</span>
    </time>
  );
}

function Detail({ detail }: Readonly<{ detail: AuditEntry['detail'] }>) {
  if (Object.keys(detail).length === 0) return null;
  return (
    <details>
      <summary className="soft">{words.detail}</summary>
      <pre className="mono">{JSON.stringify(detail, null, 2)}</pre>
    </details>
  );
}
