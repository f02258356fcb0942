import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { MoneyTask } from '#money/money-task.contract';
import { keysOf } from '../api/keys-of.js';
import { FilterSelect } from '../frame/filter-select.js';
import { Section } from '../frame/section.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { moneyWords } from './money-words.js';
import { TaskEndDialog } from './task-end-dialog.js';
import { TaskTable } from './task-table.js';
import { MoreButton } from '../frame/more-button.js';

const words = moneyWords.tasks;
const PAGE = 20;
const EVERY_MS = 10_000;
const KINDS = keysOf(words.kind);

/** What only a person can settle, first what is due first. */
export function MoneyTasks({ mayAct }: Readonly<{ mayAct: boolean }>) {
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/money' });
  const state = search.tasks === 'done' ? 'done' : 'open';
  const kind = KINDS.find((one) => one === search.kind);
  const query = { limit: PAGE, state, ...(kind && { kind }) } as const;
  const list = usePageQuery('GET money/tasks', { query }, ({ tasks }) => tasks, { refetchInterval: EVERY_MS });
  const [ending, setEnding] = useState<MoneyTask | null>(null);
  const [news, setNews] = useState('');
  const show = (name: 'tasks' | 'kind') => (chosen: string) =>
    void navigate({ to: '/money', search: { ...search, [name]: chosen === '' ? undefined : chosen } });
  return (
    <Section
      title={words.title}
      hint={words.hint}
      action={
        <div className="filters in-head">
          <FilterSelect
            label={words.show}
            options={words.states}
            chosen={search.tasks ?? ''}
            onChoose={show('tasks')}
          />
          <FilterSelect
            label={words.kinds}
            options={[['', words.allKinds], ...KINDS.map((one) => [one, words.kind[one]] as const)]}
            chosen={kind ?? ''}
            onChoose={show('kind')}
          />
        </div>
      }
    >
      <p role="status" className={news === '' ? 'visually-hidden' : 'news'}>
        {news}
      </p>
      <TaskTable
        list={list}
        empty={state === 'done' ? words.noneDone : words.none}
        {...(mayAct && { onEnd: setEnding })}
      />
      <MoreButton list={list}>{moneyWords.more}</MoreButton>
      {ending && (
        <TaskEndDialog
          task={ending}
          onClose={() => setEnding(null)}
          onDone={() => {
            setEnding(null);
            setNews(words.ended);
          }}
        />
      )}
    </Section>
  );
}
