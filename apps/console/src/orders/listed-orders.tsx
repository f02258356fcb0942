import { Button } from '@mantine/core';
import { SkeletonRows } from '../frame/skeleton-rows.js';
import { number } from '../words/formats.js';
import { AnswerProvider } from './answering.js';
import type { ColumnName } from './order-columns.js';
import { foundWords } from './found-words.js';
import { OrdersGrid } from './orders-grid.js';
import { ordersWords as words } from './orders-words.js';
import type { OrderList } from './use-order-list.js';
import type { OrderRows } from './use-order-rows.js';

type Props = Readonly<{ shown: OrderList; rows: OrderRows; columns: readonly ColumnName[]; compact: boolean }>;

/** The rows, or why there are none. */
export function ListedOrders({ shown, rows, columns, compact }: Props) {
  const { state, list, orders, isOld, show, more } = shown;
  const { active, setActive, selected, setSelected, toggle, open, prefetch } = rows;
  if (!list.isPending && orders.length === 0) return list.error ? null : <NoOrders {...shown} />;
  const { hasNextPage, isFetchingNextPage } = list;
  return (
    <AnswerProvider active={orders[active]} isOff={isOld}>
      <OrdersGrid
        orders={orders}
        isOld={isOld}
        columns={columns}
        isSearch={list.data?.pages[0]?.searched !== undefined}
        compact={compact}
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
  );
}

type NoOrdersProps = Pick<OrderList, 'show'> & {
  state: Pick<OrderList['state'], 'q' | 'filters'>;
  choice: Pick<OrderList['choice'], 'hidden'>;
};

export function NoOrders({ state: { q, filters }, choice: { hidden }, show }: NoOrdersProps) {
  const isQueue = q === '' && filters.length === 1 && filters[0]?.field === 'queue';
  const isFiltered = q !== '' || filters.length > 0 || hidden !== undefined;
  return (
    <div className="empty">
      <strong role="status">{words.empty}</strong>
      <p>{isQueue ? words.queueEmpty : isFiltered ? words.emptyHint : words.emptyAtFirst}</p>
      {q !== '' && <SearchKinds />}
      {isFiltered && (
        <Button variant="default" onClick={() => show({ q: '', filters: [] })}>
          {words.clearFilters}
        </Button>
      )}
    </div>
  );
}

/** What a search finds orders by. */
function SearchKinds() {
  return (
    <div className="search-kinds">
      <p>{foundWords.notFound}</p>
      <dl>
        {foundWords.kinds.map(([example, what]) => (
          <div key={example}>
            <dt>{example}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
