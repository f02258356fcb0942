import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { OrderSummary } from '#orders/order.contract';
import { orderQuery } from '../api/desk.js';
import { ordersQuery } from '../api/orders.js';
import { Failure } from '../frame/failure.js';
import { KeyList } from '../frame/key-list.js';
import { SkeletonRows } from '../frame/skeleton-rows.js';
import { useKeys } from '../frame/use-keys.js';
import { number } from '../words/formats.js';
import { frame } from '../words/frame.js';
import { ordersWords as words } from './orders-words.js';
import { viewWords } from './view-words.js';
import { useDisplay } from './display.js';
import { ListHead } from './list-head.js';
import { AnswerProvider } from './answering.js';
import { type ListState, readAddress, writeAddress } from './list-address.js';
import { questionOf } from './list-question.js';
import { columnNames } from './order-columns.js';
import { OrdersGrid } from './orders-grid.js';
import { SelectionBar } from './selection-bar.js';
import { useLiveOrders } from './use-live-orders.js';
import { useViews } from './use-views.js';

export function OrdersPage() {
  const search = useSearch({ from: '/frame/orders' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const state = useMemo(() => readAddress(search), [search]);
  const choice = useViews(state);
  const { hidden } = choice;
  const question = useMemo(() => questionOf(state, hidden), [state, hidden]);
  const list = useInfiniteQuery({
    ...ordersQuery(question),
    placeholderData: (before) => before,
    enabled: choice.isReady,
  });
  const orders = useMemo(() => list.data?.pages.flatMap((page) => page.orders) ?? [], [list.data]);
  // Those of the question before, while this one is on its way.
  const isOld = list.isPlaceholderData;
  const { fresh, isStale } = useLiveOrders(question, isOld ? 0 : list.dataUpdatedAt);

  const [active, setActive] = useState(-1);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [helpOpen, setHelpOpen] = useState(false);
  const display = useDisplay();
  const lastSelected = useRef<string>(undefined);
  const searchField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    document.title = `${words.title} · Willcall`;
  }, []);
  useEffect(() => setActive(-1), [question]);

  const show = useCallback(
    (change: Partial<ListState>) => {
      const next = { ...state, ...change };
      const isAll = next.q === '' && next.filters.length === 0 && !hidden;
      void navigate({ to: '/orders', search: writeAddress(isAll ? { ...next, view: null } : next) });
    },
    [state, hidden, navigate],
  );
  const open = useCallback(
    (order: OrderSummary) => void navigate({ to: '/orders/$id', params: { id: order.id } }),
    [navigate],
  );
  const toggle = useCallback((id: string) => {
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
    lastSelected.current = id;
  }, []);
  /** From the order that was selected last to the active one. */
  const selectRange = (to: OrderSummary) => {
    const from = orders.findIndex(({ id }) => id === lastSelected.current);
    const [first, last] = [Math.min(from, active), Math.max(from, active)];
    const ids = from < 0 ? [to.id] : orders.slice(first, last + 1).map(({ id }) => id);
    setSelected((before) => new Set([...before, ...ids]));
    lastSelected.current = to.id;
  };
  const prefetch = useCallback((order: OrderSummary) => void client.prefetchQuery(orderQuery(order.id)), [client]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const move = (by: number) => {
    const to = Math.max(0, Math.min(orders.length - 1, active + by));
    setActive(to);
    const order = orders[to];
    if (order) prefetch(order);
  };
  const withActive = (act: (order: OrderSummary) => void) => () => {
    const order = orders[active];
    if (order && !isOld) act(order);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: withActive(open),
    x: withActive(({ id }) => toggle(id)),
    X: withActive(selectRange),
    e: withActive(({ product }) => show({ filters: [{ field: 'event_id', op: '=', values: [product.event_id] }] })),
    '/': () => searchField.current?.focus(),
    '?': () => setHelpOpen(true),
  });

  const columns = useMemo(
    () => columnNames(state.columns.length > 0 ? state.columns : display.columns),
    [state.columns, display.columns],
  );
  const isEmpty = !list.isPending && orders.length === 0;
  const isQueue = state.q === '' && state.filters.length === 1 && state.filters[0]?.field === 'queue';
  const isFiltered = state.q !== '' || state.filters.length > 0 || hidden !== undefined;
  return (
    <div className="page wide">
      <ListHead {...{ state, choice, columns, selected, searchField, show }} where={question.where} />
      {choice.isUnknown && (
        <p className="news warning" role="status">
          {viewWords.unknown}
        </p>
      )}
      {list.error && <Failure error={list.error} retry={() => void list.refetch()} />}
      <div className="news-line" role="status">
        {isOld && <p className="stale-note">{frame.asking}</p>}
        {(fresh > 0 || isStale) && (
          <button type="button" className="fresh" onClick={() => void list.refetch()}>
            {isStale ? words.stale : words.fresh(fresh)} · {words.freshHint}
          </button>
        )}
      </div>
      {isEmpty && list.error ? null : isEmpty ? (
        <div className="empty">
          <strong role="status">{words.empty}</strong>
          <p>{isQueue ? words.queueEmpty : isFiltered ? words.emptyHint : words.emptyAtFirst}</p>
          {isFiltered && (
            <Button variant="default" onClick={() => show({ q: '', filters: [] })}>
              {words.clearFilters}
            </Button>
          )}
        </div>
      ) : (
        <AnswerProvider active={orders[active]} isOff={isOld}>
          <OrdersGrid
            orders={orders}
            isOld={isOld}
            columns={columns}
            compact={display.compact}
            sort={state.sort}
            onSort={(sort) => show({ sort })}
            active={active}
            onActive={setActive}
            selected={selected}
            onSelect={toggle}
            onSelectAll={(select) => isOld || setSelected(new Set(select ? orders.map(({ id }) => id) : []))}
            onHover={prefetch}
            onOpen={open}
            onNearEnd={more}
            end={
              list.isPending ? (
                <SkeletonRows />
              ) : (
                <p className="orders-end soft small">
                  {!hasNextPage && !isOld && words.allShown(number(orders.length))}
                  {hasNextPage && (
                    <Button variant="default" size="compact-sm" loading={isFetchingNextPage} onClick={more}>
                      {words.loadMore}
                    </Button>
                  )}
                </p>
              )
            }
          />
        </AnswerProvider>
      )}
      <SelectionBar
        isOff={isOld}
        selected={selected}
        onSelect={setSelected}
        unloaded={state.q === '' && (hasNextPage || selected.size < orders.length) ? question.where : undefined}
      />
      <KeyList keys={words.keys} opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}
