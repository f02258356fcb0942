import { Button } from '@mantine/core';
import type { QueuedOrder } from '#desk/queue.contract';
import type { QueuePart } from '../api/queues.js';
import { SkeletonRows } from '../frame/skeleton-rows.js';
import { AnswerProvider } from '../orders/answering.js';
import { QueueTable } from './queue-table.js';
import { queueWords as words } from './queue-words.js';
import type { QueueState } from './use-queue.js';

type Props = Readonly<{
  state: Pick<QueueState, 'queue' | 'part' | 'steady' | 'place' | 'setActive' | 'current' | 'isLoading' | 'selection'>;
  hasFailed: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore: () => void;
  /** Absent for those who may not act. */
  onSnooze?: (order: QueuedOrder) => void;
  onRemedy?: (order: QueuedOrder) => void;
  /** What the key `a` does. */
  onAccept?: () => void;
}>;

/** The orders of a queue, in the order in which they are to be worked. */
export function QueueOrders({ state, hasFailed, hasMore, isLoadingMore, onMore, onSnooze, onRemedy, onAccept }: Props) {
  const { queue, part, steady, place, setActive, current, isLoading, selection } = state;
  const isEmpty = steady.rows.length === 0;
  return (
    <>
      <AnswerProvider active={current} onAnswered={steady.settle} {...(onAccept && { onAccept })}>
        {isLoading && <SkeletonRows />}
        {!isLoading && !isEmpty && (
          <div className="queue-rows" {...steady.over}>
            <div className="news-line" role="status">
              {steady.added > 0 && (
                <button type="button" className="fresh" onClick={steady.release}>
                  {words.fresh(steady.added)}
                </button>
              )}
            </div>
            <QueueTable
              label={words.list(queue?.name ?? '')}
              rows={steady.rows}
              active={place}
              onActive={setActive}
              selection={selection}
              {...(onSnooze && { onSnooze })}
              {...(onRemedy && { onRemedy })}
            />
          </div>
        )}
        {!isLoading && isEmpty && !hasFailed && (
          <p className="empty" role="status">
            {NOTHING[part]}
          </p>
        )}
      </AnswerProvider>
      {hasMore && (
        <Button variant="default" loading={isLoadingMore} onClick={onMore}>
          {words.loadMore}
        </Button>
      )}
    </>
  );
}

const NOTHING: Readonly<Record<QueuePart, string>> = {
  waiting: words.empty,
  snoozed: words.noneSnoozed,
  escalated: words.noneEscalated,
};
