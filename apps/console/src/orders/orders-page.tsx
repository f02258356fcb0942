import { useEffect, useMemo, useRef, useState } from 'react';
import { Failure } from '../frame/failure.js';
import { ShortcutList } from '../frame/shortcut-list.js';
import { frame } from '../words/frame.js';
import { useDisplay } from './display.js';
import { ListHead } from './list-head.js';
import { ListedOrders } from './listed-orders.js';
import { Searched } from './found-cells.js';
import { columnNames } from './order-columns.js';
import { OrderSelection } from './order-selection.js';
import { ordersWords as words } from './orders-words.js';
import { useOrderList } from './use-order-list.js';
import { useOrderRows } from './use-order-rows.js';
import { viewWords } from './view-words.js';

export function OrdersPage() {
  const shown = useOrderList();
  const { state, choice, question, list, orders, isOld, fresh, isStale, show } = shown;
  const [helpOpen, setHelpOpen] = useState(false);
  const searchField = useRef<HTMLInputElement>(null);
  const rows = useOrderRows(shown, {
    search: () => searchField.current?.focus(),
    help: () => setHelpOpen(true),
  });
  const { selected, setSelected } = rows;
  const display = useDisplay();
  const columns = useMemo(
    () => columnNames(state.columns.length > 0 ? state.columns : display.columns),
    [state.columns, display.columns],
  );
  useEffect(() => {
    document.title = `${words.title} · Willcall`;
  }, []);
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
      <Searched searched={state.q === '' ? undefined : list.data?.pages[0]?.searched} />
      <ListedOrders shown={shown} rows={rows} columns={columns} compact={display.compact} />
      <OrderSelection
        isOff={isOld}
        ids={[...selected]}
        onSelect={setSelected}
        unloaded={state.q === '' && (list.hasNextPage || selected.size < orders.length) ? question.where : undefined}
      />
      <ShortcutList keys={words.keys} opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}
