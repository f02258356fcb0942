import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue.module.js';
import { DatabaseEpoch } from '#database/epoch';
import { IpPlaces } from '../../ip-places.js';
import { LocalGeocoder } from '../../local-geocoder.js';
import { CatalogueSearch } from '../../catalogue-search.js';
import { Geocoder } from '../query/place.js';
import { Recommendations } from '../query/recommendation-search.js';
import { IndexedRecommendations } from './indexed-recommendations.js';
import { IndexedSearch } from '../../indexed-search.js';

@Module({
  imports: [CatalogueModule],
  providers: [
    IndexedSearch,
    { provide: CatalogueSearch, useExisting: IndexedSearch },
    { provide: Recommendations, useClass: IndexedRecommendations },
    IpPlaces,
    LocalGeocoder,
    { provide: Geocoder, useExisting: LocalGeocoder },
  ],
  exports: [CatalogueSearch, Recommendations, Geocoder],
})
export class SearchModule {
  constructor(epoch: DatabaseEpoch, search: IndexedSearch, places: LocalGeocoder) {
    epoch.onChange(() => {
      search.reset();
      places.reset();
    });
  }
}
