import { Module } from '@nestjs/common';
import { CatalogueSearch } from '#catalogue/search/catalogue-search';
import { IndexedSearch } from '#catalogue/search/indexed-search';
import { GeoPlaces } from '#catalogue/search/place';
import { DiscoveryKeyUsage } from '#platform-auth/discovery-key-usage';
import { DiscoveryKeys } from '#platform-auth/discovery-keys';
import { DiscoveryGuard } from './discovery.guard.js';
import { EventsController } from './events.controller.js';
import { KindsController } from './kinds.controller.js';
import { PerformersController } from './performers.controller.js';
import { PlaceFinder } from './place-finder.js';
import { PointPlaces } from './point-places.js';
import { VenuesController } from './venues.controller.js';

/** The public, read-only API below /2, and its keys. */
@Module({
  controllers: [EventsController, PerformersController, VenuesController, KindsController],
  providers: [
    DiscoveryKeys,
    DiscoveryKeyUsage,
    DiscoveryGuard,
    PlaceFinder,
    { provide: CatalogueSearch, useClass: IndexedSearch },
    { provide: GeoPlaces, useClass: PointPlaces },
  ],
  exports: [DiscoveryKeys],
})
export class DiscoveryModule {}
