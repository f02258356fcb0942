import { Injectable, Module } from '@nestjs/common';
import { Sealer } from '#base/sealing';
import { DatabaseEpoch } from '#database/epoch';
import { StorageModule } from '#platform/storage.module';
import { EventArchive } from './event-archive.js';
import type { EventStoreOptions } from './event-store.js';
import { LedgerKey } from './hash-chain.js';

/** The options of event stores in a service: hashes have the key of the ledger, and old events may be archived. */
@Injectable()
export class KeyedLog implements EventStoreOptions {
  readonly key: LedgerKey;

  constructor(
    readonly epoch: DatabaseEpoch,
    readonly archive: EventArchive,
    sealer: Sealer,
  ) {
    this.key = new LedgerKey(sealer.ledgerSecret);
  }
}

@Module({ imports: [StorageModule], providers: [EventArchive, KeyedLog], exports: [EventArchive, KeyedLog] })
export class KeyedLogModule {}
