import { Module } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#runtime/clock';
import { PostalCodes } from '#catalogue/postal-codes';
import { IndexedRecommendations } from '#search/answers/indexed-recommendations';
import { CatalogueSearch } from '#search/query/catalogue-search';
import { IndexedSearch } from '#search/answers/indexed-search';
import { GeoPlaces } from '#search/query/place';
import { KnownPlaces } from '#search/geocoding/known-places';
import { Recommendations } from '#search/query/recommendation-search';
import { Settings } from '#config/settings';
import { DatabaseEpoch } from '#database/epoch';
import { DiscoveryKeyUsage } from '#platform-auth/discovery-key-usage';
import { DiscoveryKeys } from '#platform-auth/discovery-keys';
import { DiscoveryGuard } from './discovery.guard.js';
import { EventsController } from './events.controller.js';
import { KindsController } from './kinds.controller.js';
import { PerformersController } from './performers.controller.js';
import { PlaceFinder } from './place-finder.js';
import { RecommendationsController } from './recommendations.controller.js';
import { VenuesController } from './venues.controller.js';

/** The public, read-only API below /2, and its keys. */
@Module({
  controllers: [EventsController, PerformersController, VenuesController, KindsController, RecommendationsController],
  providers: [
    DiscoveryKeys,
    DiscoveryKeyUsage,
    DiscoveryGuard,
    PlaceFinder,
    IndexedSearch,
    { provide: CatalogueSearch, useExisting: IndexedSearch },
    { provide: Recommendations, useClass: IndexedRecommendations },
    PostalCodes,
    {
      provide: GeoPlaces,
      inject: [Pool, PostalCodes, Clock, Settings, DatabaseEpoch],
      useFactory: (
        ...[pool, codes, clock, { GEOIP_DB }, epoch]: [Pool, PostalCodes, Clock, Settings, DatabaseEpoch]
      ) => {
        const places = new KnownPlaces(pool, codes, clock, GEOIP_DB);
        epoch.onChange(() => places.forget());
        return places;
      },
    },
  ],
  exports: [DiscoveryKeys],
})
export class DiscoveryModule {
  constructor(epoch: DatabaseEpoch, keys: DiscoveryKeys, search: IndexedSearch) {
    epoch.onChange(() => {
      keys.forget();
      search.forget();
    });
  }
}
