import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEntry } from '#accounts/audit.contract';
import { DataTable } from '../../frame/data-table.js';
import { Facts } from '../../frame/facts.js';
import { useNow } from '../../frame/now.js';
import { PageHead } from '../../frame/page-head.js';
import { ShortId } from '../../frame/short-id.js';
import { usePageQuery } from '../../frame/use-page-query.js';
import { clockTime, dateText, exactTime } from '../../words/formats.js';
import { auditWords as words } from './audit-words.js';
import { AuditDownload } from './audit-download.js';
import { type AuditFilter, auditFilterOf, AuditFilters, auditQueryOf } from './audit-filters.js';
import { actionText, detailFacts, partsOf } from './audit-text.js';
import { MoreButton } from '../../frame/more-button.js';

const PAGE = 100;

/** Who did what, newest first. The address says what it is filtered by; each text of the list filters by itself. */
export function AuditPage() {
  const asked = auditFilterOf(useSearch({ from: '/frame/settings/audit' }));
  const query = auditQueryOf(asked);
  const isFiltered = Object.keys(asked).length > 0;
  const list = usePageQuery('GET audit', { query: { ...query, limit: PAGE } }, ({ entries }) => entries);
  const only = (change: AuditFilter, children: ReactNode) => (
    <Only filter={{ ...asked, ...change }} text={Object.values(change).join(' ')}>
      {children}
    </Only>
  );
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint} />
      <div className="row audit-head">
        <AuditFilters asked={asked} entries={list.rows ?? []} />
        <AuditDownload query={query} />
      </div>
      <DataTable
        label={words.title}
        rows={list.rows}
        keyOf={({ id }) => id}
        empty={isFiltered ? words.nothing : words.empty}
        query={list}
        columns={[
          { id: 'at', name: words.at, cell: ({ at }) => <Moment at={at} /> },
          {
            id: 'actor',
            name: words.actor,
            cell: ({ actor, actor_name: name }) => only({ actor }, <Name text={actor} name={name} />),
          },
          {
            id: 'action',
            name: words.action,
            cell: ({ action }) => only({ action }, <Action code={action} />),
          },
          {
            id: 'subject',
            name: words.subject,
            cell: ({ subject, subject_name: name }) =>
              subject.startsWith('order:') ? (
                <OrderOf subject={subject} />
              ) : (
                only({ subject }, <Name text={subject} name={name} />)
              ),
          },
          { id: 'address', name: words.address, cell: ({ address }) => <span className="soft">{address}</span> },
          { id: 'detail', name: words.detail, cell: ({ detail }) => <Detail detail={detail} /> },
        ]}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
    </div>
  );
}

type OnlyProps = Readonly<{ filter: AuditFilter; text: string; children: ReactNode }>;

function Only({ filter, text, children }: OnlyProps) {
  return (
    <Link to="/settings/audit" search={filter} className="quiet-link" title={words.only(text)}>
      {children}
    </Link>
  );
}

/** The code stands beside the words, because the filter takes it. */
function Action({ code }: Readonly<{ code: string }>) {
  return (
    <>
      <strong>{actionText(code)}</strong> <span className="soft small">{code}</span>
    </>
  );
}

function OrderOf({ subject }: Readonly<{ subject: string }>) {
  return (
    <Link to="/orders/$id" params={{ id: subject.slice('order:'.length) }}>
      <Name text={subject} name={null} />
    </Link>
  );
}

/** The name of an operator, else its kind in words and its id, shortened. */
function Name({ text, name }: Readonly<{ text: string; name: string | null }>) {
  if (name !== null) return name;
  const { kind, id } = partsOf(text);
  return (
    <span className="nowrap">
      {kind} {id !== '' && <ShortId id={id} />}
    </span>
  );
}

function Moment({ at }: Readonly<{ at: string }>) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)} className="nowrap">
      {dateText(at, now)} <span className="soft">{clockTime(at)}</span>
    </time>
  );
}

function Detail({ detail }: Readonly<{ detail: AuditEntry['detail'] }>) {
  if (Object.keys(detail).length === 0) return null;
  return (
    <details>
      <summary className="soft">{words.detail}</summary>
      <Facts facts={detailFacts(detail)} />
    </details>
  );
}
