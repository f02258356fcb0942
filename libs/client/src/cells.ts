import type { EpochChange, Interruption } from './following.js';
import type { PingEntry } from './ping-entry.js';
import { pings, type PingsOptions } from './pings.js';

/** The place of a reader in the stream of one cell. */
export type CellPosition = Readonly<{ after: number; epoch?: string }>;

/** A vector of positions: one for each cell, by the name that you gave it. A cell without one is read from its first entry. */
export type CellPositions = Readonly<Record<string, CellPosition>>;

/** `positions` is what to store with the work on `ping`. */
export type CellEntry = Readonly<{ cell: string; ping: PingEntry; positions: CellPositions }>;

export type CellsOptions = Readonly<{
  /** The stream of each cell, by a name that stays the same. */
  cells: Readonly<
    Record<string, Pick<PingsOptions, 'url' | 'token' | 'filters' | 'limit' | 'waitSeconds' | 'dependencies'>>
  >;
  positions?: CellPositions;
  /** Ends the iteration, without an error. */
  signal?: AbortSignal;
  onInterruption?: (cell: string, interruption: Interruption) => void;
  /** As for `pings`. Only the positions of this cell are another's. */
  onEpochChange?: (cell: string, change: EpochChange) => number | Promise<number>;
}>;

/** The stream of one cell has failed for good; `cause` is the error of `pings`. */
export class CellFailed extends Error {
  override readonly name = 'CellFailed';

  constructor(
    readonly cell: string,
    cause: unknown,
  ) {
    super(`The stream of cell ${cell} has failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/**
 * Yields the pings of several cells as they come. An order lives in one cell, so its pings stay in order; orders of different cells have no
 * order among them. A cell that is away holds up no other. Throws a `CellFailed` when a retry cannot help.
 * @example for await (const { ping, positions } of pingsOfCells({ cells, positions })) await store(ping, positions);
 */
export async function* pingsOfCells(options: CellsOptions): AsyncGenerator<CellEntry, void, undefined> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const positions = new Map(Object.entries(options.positions ?? {}));
  const readers = new Map(Object.keys(options.cells).map((cell) => [cell, readerOf(cell, options, positions, signal)]));
  const next = async (cell: string) => {
    const result = await readers
      .get(cell)
      ?.next()
      .catch((error: unknown) => Promise.reject(new CellFailed(cell, error)));
    return { cell, ping: result?.value };
  };
  const waiting = new Map([...readers.keys()].map((cell) => [cell, next(cell)]));
  try {
    while (waiting.size > 0) {
      const { cell, ping } = await Promise.race(waiting.values());
      waiting.delete(cell);
      if (!ping) continue;
      positions.set(cell, { ...positions.get(cell), after: ping.position });
      yield { cell, ping, positions: Object.fromEntries(positions) };
      // At the end of the map, so that a busy cell does not hide the others.
      waiting.set(cell, next(cell));
    }
  } finally {
    stop.abort();
    await Promise.allSettled(waiting.values());
  }
}

function readerOf(
  cell: string,
  { cells, onInterruption, onEpochChange }: CellsOptions,
  positions: Map<string, CellPosition>,
  signal: AbortSignal,
) {
  const { after = 0, epoch } = positions.get(cell) ?? {};
  return pings({
    ...cells[cell]!,
    after,
    signal,
    ...(epoch !== undefined && { epoch }),
    // The entries of the new epoch follow, so the position of the old one must not stay beside it.
    onEpoch: (known) => positions.set(cell, { after: positions.get(cell)?.after ?? 0, epoch: known }),
    ...(onInterruption && { onInterruption: (interruption) => onInterruption(cell, interruption) }),
    ...(onEpochChange && {
      onEpochChange: async (change) => {
        const from = await onEpochChange(cell, change);
        positions.set(cell, { after: from, epoch: change.epoch });
        return from;
      },
    }),
  });
}

/** The number of the cell that made an order, 0 to 255. Undefined for ids from before there were cells, and for what is no order's id. */
export function cellOf(orderId: string): number | undefined {
  const [, cell] = /^ord_[0-9a-f]{12}8[0-9a-f]{11}([0-9a-f]{2})[0-9a-f]{6}$/.exec(orderId) ?? [];
  return cell === undefined ? undefined : Number.parseInt(cell, 16);
}
