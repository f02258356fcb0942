import { Module } from '@nestjs/common';
import { ListingsModule } from '#orders/listings/listings.module';
import { CheckoutAccessModule } from '../checkout/checkout-access.module.js';
import { ListingsController } from '../checkout/listings.controller.js';
import { StaffModule } from '../people/staff.module.js';
import { ListingImportController } from './listing-import.controller.js';
import { BackofficeListingsController } from './listings.controller.js';

/** Listings, for the platform and for staff. */
@Module({
  imports: [StaffModule, CheckoutAccessModule, ListingsModule],
  controllers: [ListingsController, BackofficeListingsController, ListingImportController],
})
export class ListingsApiModule {}
