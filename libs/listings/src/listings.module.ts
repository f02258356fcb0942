import { Module } from '@nestjs/common';
import { DatabaseEpoch } from '#database/epoch';
import { ListingImport } from './listing-import.js';
import { ListingQueries } from './listing-queries.js';
import { Listings } from './listings.js';

const providers = [Listings, ListingImport, ListingQueries];

/** Listings, their stock and their import. */
@Module({ providers, exports: providers })
export class ListingsModule {
  constructor(epoch: DatabaseEpoch, listings: Listings) {
    epoch.onChange(() => listings.invalidateAll());
  }
}
