// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { type ComponentProps } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { shown } from '../../test/shown.js';
import { QueueOrders } from './queue-orders.js';
import { queueWords as words } from './queue-words.js';

type Props = ComponentProps<typeof QueueOrders>;

const STEADY: Props['state']['steady'] = {
  rows: [],
  added: 0,
  over: { onPointerMove: vi.fn(), onPointerLeave: vi.fn() },
  release: vi.fn(),
  settle: vi.fn(),
};
const STATE: Props['state'] = {
  queue: undefined,
  part: 'waiting',
  steady: STEADY,
  place: 0,
  setActive: vi.fn(),
  current: undefined,
  isLoading: false,
  selection: { selected: new Set(), setSelected: vi.fn(), toggle: vi.fn() },
};

const queue = (state: Partial<Props['state']>, more: Partial<Props> = {}) =>
  shown(
    <QueueOrders
      state={{ ...STATE, ...state }}
      hasFailed={false}
      hasMore={false}
      isLoadingMore={false}
      onMore={vi.fn()}
      {...more}
    />,
  );
const said = () => screen.getAllByRole('status').map((status) => status.textContent);

describe('the orders of a queue', () => {
  it.each([
    ['waiting', words.empty],
    ['snoozed', words.noneSnoozed],
    ['escalated', words.noneEscalated],
  ] as const)('say that nothing is %s', (part, text) => {
    queue({ part });
    expect(said()).toContain(text);
  });

  it('do not say so while they are loaded, or if that failed', () => {
    queue({ isLoading: true });
    expect(said()).not.toContain(words.empty);
    queue({}, { hasFailed: true });
    expect(said()).not.toContain(words.empty);
  });

  it('are continued on demand', () => {
    const onMore = vi.fn();
    queue({}, { hasMore: true, onMore });
    fireEvent.click(screen.getByRole('button', { name: words.loadMore }));
    expect(onMore).toHaveBeenCalledOnce();
  });
});
