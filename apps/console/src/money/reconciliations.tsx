import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReconciliationList } from '#money/reconciliation.contract';
import { DataTable } from '../frame/data-table.js';
import { Section } from '../frame/section.js';
import { Time } from '../frame/time.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { providerText } from '../order/payment-source.js';
import { number } from '../words/formats.js';
import { moneyWords } from './money-words.js';
import { ReconciliationDialog } from './reconciliation-dialog.js';
import { reconciliationWords as words } from './reconciliation-words.js';
import { MoreButton } from '../frame/more-button.js';

const PAGE = 10;
const EVERY_MS = 3_000;

type Listed = ReconciliationList['reconciliations'][number];

/** The comparisons with the lists of others, newest first. */
export function Reconciliations({ mayAct }: Readonly<{ mayAct: boolean }>) {
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/money' });
  const options = { refetchInterval: EVERY_MS };
  const request = { query: { limit: PAGE } };
  const list = usePageQuery('GET reconciliations', request, ({ reconciliations }) => reconciliations, options);
  const [isAsked, setAsked] = useState(false);
  const { column } = words;
  return (
    <Section
      title={words.title}
      hint={words.hint}
      action={
        mayAct && (
          <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
            {words.open}
          </Button>
        )
      }
    >
      <DataTable
        label={words.title}
        rows={list.rows}
        keyOf={({ id }) => id}
        empty={words.none}
        query={list}
        columns={[
          {
            id: 'what',
            name: column.what,
            cell: (one) => (
              <Link to="/money" search={{ ...search, reconciliation: one.id }} resetScroll={false}>
                {listText(one)}
              </Link>
            ),
          },
          { id: 'period', name: column.period, cell: (one) => periodText(one) },
          { id: 'state', name: column.state, cell: (one) => <ReconciliationState of={one} /> },
          { id: 'matched', name: column.matched, end: true, cell: ({ matched }) => number(matched) },
          { id: 'differing', name: column.differing, end: true, cell: ({ differing }) => number(differing) },
          { id: 'as_of', name: column.asOf, cell: ({ as_of: at }) => (at === null ? '–' : <Time at={at} />) },
          { id: 'begun', name: column.begun, cell: ({ created_at: at }) => <Time at={at} /> },
        ]}
      />
      <MoreButton list={list}>{moneyWords.more}</MoreButton>
      {isAsked && (
        <ReconciliationDialog
          onClose={() => setAsked(false)}
          onDone={({ id }) => {
            setAsked(false);
            void navigate({ to: '/money', search: { ...search, reconciliation: id }, ignoreBlocker: true });
          }}
        />
      )}
    </Section>
  );
}

/** Whose list it is. */
export function listText({ provider, client_id: client }: Pick<Listed, 'provider' | 'client_id'>): string {
  return provider === null ? words.of.client(client ?? '–') : words.of.provider(providerText(provider));
}

/** The whole days, the last one included. */
function periodText({ from, to }: Listed): string {
  if (from === null || to === null) return '–';
  // `to` is exclusive.
  return words.period(utcDay(Date.parse(from)), utcDay(Date.parse(to) - 1));
}

const utcDay = (at: number) => dayOf.format(new Date(at));
const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

export function ReconciliationState({ of }: Readonly<{ of: Pick<Listed, 'state' | 'differing' | 'error'> }>) {
  const state = of.state === 'done' && of.differing > 0 ? 'differs' : of.state;
  return (
    <span className="two-lines">
      <span className={`status ${words.tone[state]}`}>
        <span>{words.state[state]}</span>
      </span>
      {of.error !== null && <span className="soft small">{of.error}</span>}
    </span>
  );
}
