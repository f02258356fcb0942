import { useNavigate } from '@tanstack/react-router';
import { memo, type RefObject, useCallback } from 'react';
import type { OrderCondition } from '../api/orders.js';
import { OrderTransferButtons } from '../order-transfer/order-transfer-buttons.js';
import { ordersWords as words } from './orders-words.js';
import { viewWords } from './view-words.js';
import { ColumnChoice } from './column-choice.js';
import { setDisplay } from './display.js';
import { FilterBar } from './filter-bar.js';
import { type ListState, writeAddress } from './list-address.js';
import type { ColumnName } from './order-columns.js';
import { SearchBox } from './search-box.js';
import type { ViewChoice } from './use-views.js';
import { EMPTY } from './view-state.js';
import { ViewTabs } from './view-tabs.js';

type Props = Readonly<{
  state: ListState;
  choice: ViewChoice;
  columns: readonly ColumnName[];
  selected: ReadonlySet<string>;
  where: OrderCondition | undefined;
  searchField: RefObject<HTMLInputElement | null>;
  show: (change: Partial<ListState>) => void;
}>;

function ListHeadOnce({ state, choice, columns, selected, where, searchField, show }: Props) {
  const navigate = useNavigate();
  const showState = useCallback(
    (next: ListState) => void navigate({ to: '/orders', search: writeAddress(next) }),
    [navigate],
  );
  const chooseColumns = (names: readonly ColumnName[]) => {
    setDisplay({ columns: names });
    show({ columns: names });
  };
  const { hidden } = choice;
  return (
    <>
      <div className="orders-bar">
        <h1>{words.title}</h1>
        <SearchBox q={state.q} onSearch={(q) => show({ q })} field={searchField} />
        <ColumnChoice chosen={columns} onChange={chooseColumns} />
        <OrderTransferButtons selected={selected} where={where} isSearch={state.q !== ''} />
      </div>
      <ViewTabs state={state} choice={choice} onShow={showState} />
      <FilterBar filters={state.filters} onChange={(filters) => show({ filters })}>
        {hidden && (
          <span className="chip" title={viewWords.hiddenConditionHint}>
            <button
              type="button"
              aria-label={`${viewWords.hiddenCondition}: ${viewWords.leaveView}`}
              onClick={() => showState(EMPTY)}
            >
              {viewWords.hiddenCondition} ×
            </button>
          </span>
        )}
      </FilterBar>
    </>
  );
}

/** What is above the list. Orders that change while somebody scrolls must not draw it again. */
export const ListHead = memo(ListHeadOnce);
