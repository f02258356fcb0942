import type { Sealer } from '#base/sealing';
import type { StatusCatalogue } from '#domain/status-catalogue';
import type { LedgerKey } from '#event-store/hash-chain';
import type { Ids } from '#base/ids';
import type { CardDataPolicy } from '#orders/card-data-policy';

/** Why a line is not imported, in words for the person who imports it. */
export class LineRefusal extends Error {}

/** The job that imports, and who began it. */
export type ImportOrigin = Readonly<{ job: string; actor: string }>;

export type ImportRules = Readonly<{
  sealer: Sealer;
  ledgerKey: LedgerKey;
  statusCatalogue: StatusCatalogue;
  cards: Pick<CardDataPolicy, 'refuses' | 'storable'>;
  ids: Ids;
  origin: ImportOrigin;
  /** Milliseconds. Later events are refused. */
  now: number;
}>;
