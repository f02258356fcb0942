import { Module } from '@nestjs/common';
import { KeyedLogModule } from '#event-store/keyed-log';
import { PostalCodes } from '#discovery/postal-codes';
import { IpPlaces } from '#discovery/ip-places';
import { LocalGeocoder } from '#discovery/local-geocoder';
import { OrderRulesModule } from '../order-rules.module.js';
import { ScreenedDrafts } from '../purchase-drafts.js';
import { FraudLookups } from './fraud-lookups.js';
import { PastPurchases } from './past-purchases.js';
import { PurchaseCountQueries } from './purchase-counts.js';
import { PurchaseScreening } from './purchase-screening.js';
import { ScreeningDryRuns } from './screening-dry-runs.js';
import { ScreeningRules } from './screening-rules.js';

const shared = [ScreeningRules, ScreeningDryRuns, { provide: ScreenedDrafts, useClass: PurchaseScreening }];

/** Policies and fraud rules. */
@Module({
  imports: [KeyedLogModule, OrderRulesModule],
  providers: [
    ...shared,
    PurchaseCountQueries,
    PastPurchases,
    FraudLookups,
    // An instance of its own, so that processes without event discovery need no search.
    LocalGeocoder,
    IpPlaces,
    PostalCodes,
  ],
  exports: shared,
})
export class ScreeningModule {}
