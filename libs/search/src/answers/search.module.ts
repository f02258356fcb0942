import { Module } from '@nestjs/common';
import { CatalogueModule } from '#catalogue/catalogue.module';
import { DatabaseEpoch } from '#database/epoch';
import { KnownPlaces } from '../geocoding/known-places.js';
import { CatalogueSearch } from '../query/catalogue-search.js';
import { GeoPlaces } from '../query/place.js';
import { Recommendations } from '../query/recommendation-search.js';
import { IndexedRecommendations } from './indexed-recommendations.js';
import { IndexedSearch } from './indexed-search.js';

/** Search and recommendations from an index in memory. */
@Module({
  imports: [CatalogueModule],
  providers: [
    IndexedSearch,
    { provide: CatalogueSearch, useExisting: IndexedSearch },
    { provide: Recommendations, useClass: IndexedRecommendations },
    KnownPlaces,
    { provide: GeoPlaces, useExisting: KnownPlaces },
  ],
  exports: [CatalogueSearch, Recommendations, GeoPlaces],
})
export class SearchModule {
  constructor(epoch: DatabaseEpoch, search: IndexedSearch, places: KnownPlaces) {
    epoch.onChange(() => {
      search.forget();
      places.forget();
    });
  }
}
