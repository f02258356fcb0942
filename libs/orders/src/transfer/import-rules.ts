import type { Sealer } from '#crypto/sealing';
import type { StatusCatalogue } from '#domain/order/status-catalogue';
import type { LedgerKey } from '#event-store/hash-chain';
import type { Ids } from '#runtime/ids';
import type { CardDataPolicy } from '../commands/card-data-policy.js';

/** Why a line is not imported, in words for the person who imports it. */
export class LineRefusal extends Error {}

/** The job that imports, and who began it. */
export type ImportOrigin = Readonly<{ job: string; actor: string }>;

export type ImportRules = Readonly<{
  sealer: Sealer;
  ledgerKey: LedgerKey;
  catalogue: StatusCatalogue;
  cards: Pick<CardDataPolicy, 'refuses' | 'storable'>;
  ids: Ids;
  origin: ImportOrigin;
  /** Milliseconds. Later events are refused. */
  now: number;
}>;
