import type { Pool } from 'pg';
import { loadSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { parseStatusCatalogue } from '#base/status-catalogue-file.contract';
import { SystemRandomness } from '#base/randomness';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { OrderCommand } from '#domain/order';
import type { StatusCatalogue } from '#domain/status-catalogue';
import { EventArchive } from '#event-store/event-archive';
import { EventStore, VersionConflict } from '#event-store/event-store';
import { LedgerKey } from '#event-store/hash-chain';
import { CardDataPolicy } from '#orders/card-data-policy';
import { EventNotes, openedNote, type StoredNote } from '#orders/event-notes';
import { OrderChanges, OrderRules } from '#orders/order-changes';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { type FoundOrder, OrderFinder, type SearchPage, type SearchQuestion } from '#orders/order-finder';
import { OrderQueries } from '#orders/order-queries';
import { objectStoreOf } from '#platform/storage.module';
import { PingQueries } from '#outbound/ping-queries';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { sealerOf, withSavedKey } from './encryption-key.js';
import { commandActor, recordChange } from './audit.js';
import { UserError } from './terminal/user-error.js';
import { poolFor } from './database/with-pool.js';
import { withSealer } from './with-sealer.js';

/** The dependencies of the order commands. */
export type OrderContext = Readonly<{
  orders: OrderQueries;
  pings: PingQueries;
  settings: Settings;
  /**
   * Applies a command like the back office, as this user.
   * @throws DomainError or UserError with the reason if it is not possible.
   */
  change: (orderId: string, command: OrderCommand) => Promise<void>;
  /** Finds all orders; buyers only with the key. */
  find: (question: SearchQuestion, page: SearchPage) => Promise<readonly FoundOrder[]>;
  /** The text of a note. Null if it was erased, and without the key. */
  openNote: (order: Readonly<{ id: string; key: Buffer | null }>, note: StoredNote) => string | null;
}>;

export type UseOrders = <T>(work: (context: OrderContext) => Promise<T>, needs?: { key: boolean }) => Promise<T>;

const EVERYTHING = { sellers: undefined, buyers: true };

/** Runs `work` on the orders in the database of the settings. Only changes and a search by e-mail need the key. */
export const withOrders: UseOrders = async (work, { key } = { key: false }) => {
  if (!key)
    return poolFor('orders')(async (pool) => work(await createReadingContext(pool, withSavedKey(loadSettings()))));
  return withSealer('orders', async ({ pool, sealer, settings }) =>
    work(await createOrderContext(pool, settings, sealer)),
  );
};

export async function createOrderContext(pool: Pool, settings: Settings, sealer: Sealer): Promise<OrderContext> {
  const ids = new TimeOrderedIds();
  const clock = await new DatabaseClock(pool, new SystemClock()).read();
  // Loaded here, because it imports the whole order core, which other commands do not need.
  const { ORDER_STREAM } = await import('#orders/order-stream');
  const rules = new OrderRules(await usedCatalogue(pool, settings.STATUS_CATALOGUE_FILE));
  const options = { key: new LedgerKey(sealer.ledgerSecret), archive: new EventArchive(objectStoreOf(settings)) };
  const store = new EventStore(pool, ORDER_STREAM, clock, ids, options);
  const changes = new OrderChanges(store, rules, new EventNotes(pool, sealer, new CardDataPolicy(settings)));
  const change = async (orderId: string, command: OrderCommand) => {
    const transactionId = ids.next('req');
    const metadata = { transaction_id: transactionId, actor: commandActor() };
    const { recorded } = await changes.apply(orderId, command, metadata).catch((error: unknown) => {
      if (error instanceof VersionConflict) throw new UserError('Somebody else is changing this order: look again.');
      throw error;
    });
    if (recorded) await recordChange(pool, 'order.changed', `order:${orderId}`, { transactionId });
  };
  const reading = await createReadingContext(pool, settings, sealer);
  return { ...reading, change };
}

async function createReadingContext(
  pool: Pool,
  settings: Settings,
  sealer = settings.ENCRYPTION_KEY && sealerOf(settings),
): Promise<OrderContext> {
  const clock = await new DatabaseClock(pool, new SystemClock()).read();
  const randomness = new SystemRandomness();
  // Without the key of the service, the digests of another find no buyer.
  const finder = new OrderFinder(pool, clock, sealer ?? new Sealer(randomness.bytes(32), randomness));
  return {
    orders: new OrderQueries(pool),
    pings: new PingQueries(pool, clock),
    settings,
    find: (question, page) => finder.find(question, page, EVERYTHING),
    change: () => Promise.reject(new Error('A change needs the key of the log.')),
    openNote: ({ id, key }, note) => (sealer ? openedNote(sealer, id, key, note) : note.note),
  };
}

async function usedCatalogue(pool: Pool, file: string | undefined): Promise<StatusCatalogue> {
  if (file !== undefined) return loadStatusCatalogue(file);
  const { currentCatalogueFile } = await import('#orders/status-catalogues');
  return parseStatusCatalogue(await currentCatalogueFile(pool));
}
