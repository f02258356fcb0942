import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SavedView } from '../api/views.js';
import { may, sessionQuery } from '../api/session.js';
import { MoreIcon } from '../frame/icons.js';
import { lazyPart } from '../frame/lazy-part.js';
import { viewWords as words } from './view-words.js';
import { type ListState, writeAddress } from './list-address.js';
import type { ViewChoice } from './use-views.js';
import { EMPTY, isSameList, stateOfView } from './view-state.js';

const ViewDialog = lazyPart(async () => (await import('./view-dialog.js')).ViewDialog);

/** Further views are in a menu. */
const MOST_TABS = 4;

const QUEUES = Object.entries(words.queues).map(([queue, name]) => ({
  name,
  state: { ...EMPTY, filters: [{ field: 'queue', op: '=', values: [queue] }] } satisfies ListState,
}));

type Props = Readonly<{ state: ListState; choice: ViewChoice; onShow: (state: ListState) => void }>;
type Asked = 'new' | 'edit' | 'remove';

/** The work queues and the saved views, with the actions of the open one. */
export function ViewTabs({ state, choice, onShow }: Props) {
  const { views, current, isChanged } = choice;
  const { data: session } = useQuery(sessionQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const queue = state.view === null ? QUEUES.find((one) => isSameFilters(one.state, state)) : undefined;
  const isAll = state.view === null && isSameFilters(EMPTY, state);
  const inTabs = views.filter((view, place) => place < MOST_TABS || view.id === current?.id);
  const inMenu = views.filter((view) => !inTabs.includes(view));
  const mayChange = current && (current.owner === ownerOf(session) || may(session, 'admin'));
  const canSave = state.q !== '' || state.filters.length > 0 || choice.hidden !== undefined;
  return (
    <div className="view-bar">
      <nav aria-label={words.views} className="view-tabs">
        <Tab name={words.all} state={EMPTY} isCurrent={isAll} />
        {QUEUES.map((one) => (
          <Tab key={one.name} name={one.name} state={one.state} isCurrent={one === queue} />
        ))}
        {inTabs.length > 0 && <span className="view-divider" aria-hidden="true" />}
        {inTabs.map((view) => (
          <Tab
            key={view.id}
            name={view.name}
            state={stateOfView(view)}
            isCurrent={view === current}
            isChanged={view === current && isChanged}
          />
        ))}
      </nav>
      {inMenu.length > 0 && <FurtherViews views={inMenu} onShow={onShow} />}
      {current && (
        <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
          <Menu.Target>
            <button type="button" className="icon-button small-icon" aria-label={words.options(current.name)}>
              <MoreIcon />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void navigator.clipboard.writeText(addressOf(current))}>
              {words.copyAddress}
            </Menu.Item>
            {isChanged && <Menu.Item onClick={() => onShow(stateOfView(current))}>{words.discard}</Menu.Item>}
            {isChanged && <Menu.Item onClick={() => setAsked('new')}>{words.saveAsNew}</Menu.Item>}
            {mayChange && <Menu.Item onClick={() => setAsked('edit')}>{words.rename}</Menu.Item>}
            {mayChange && (
              <Menu.Item color="red" onClick={() => setAsked('remove')}>
                {words.remove}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {(isChanged || (!current && canSave && !queue)) && (
        <button
          type="button"
          className="link-button small save-view"
          onClick={() => setAsked(isChanged && mayChange ? 'edit' : 'new')}
        >
          {isChanged && mayChange ? words.saveChanges : words.save}
        </button>
      )}
      {asked && (
        <ViewDialog asked={asked} state={state} choice={choice} onShow={onShow} onClose={() => setAsked(null)} />
      )}
    </div>
  );
}

type FurtherProps = Readonly<{ views: readonly SavedView[]; onShow: (state: ListState) => void }>;

function FurtherViews({ views, onShow }: FurtherProps) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <button type="button" className="view-tab">
          {words.more} ▾
        </button>
      </Menu.Target>
      <Menu.Dropdown className="menu-tall">
        {views.map((view) => (
          <Menu.Item key={view.id} onClick={() => onShow(stateOfView(view))}>
            {view.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const ownerOf = (session: Readonly<{ operator: Readonly<{ id: string }> }> | null | undefined) =>
  session ? `operator:${session.operator.id}` : undefined;

/** The address for a colleague. It opens the view in its state of that time. */
const addressOf = ({ id }: SavedView) => new URL(`?view=${id}`, location.href.replace(/[?#].*$/, '')).href;

const isSameFilters = (one: ListState, other: ListState) =>
  isSameList({ ...one, columns: [], sort: 'placed_at.desc' }, { ...other, columns: [], sort: 'placed_at.desc' });

type TabProps = Readonly<{ name: string; state: ListState; isCurrent: boolean; isChanged?: boolean }>;

function Tab({ name, state, isCurrent, isChanged = false }: TabProps) {
  return (
    <Link
      to="/orders"
      search={writeAddress(state)}
      className={`view-tab${isCurrent ? ' current' : ''}`}
      activeProps={{}}
      {...(isCurrent && { 'aria-current': 'true' as const })}
    >
      {name}
      {isChanged && <span className="view-changed" role="img" aria-label={words.changed} title={words.changed} />}
    </Link>
  );
}
