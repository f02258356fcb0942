import { Module } from '@nestjs/common';
import { ListingsModule } from './listings.module.js';
import { CheckoutAccessModule } from '#accounts/checkout-access.module';
import { ListingsController } from './checkout-listings.controller.js';
import { StaffModule } from '#accounts/staff.module';
import { ListingImportController } from './import/listing-import.controller.js';
import { BackofficeListingsController } from './listings.controller.js';
import { ListingPatchController } from './patch/listing-patch.controller.js';
import { ListingPatches } from './patch/listing-patches.js';

/** Listings, for the platform and for staff. */
@Module({
  imports: [StaffModule, CheckoutAccessModule, ListingsModule],
  controllers: [ListingsController, BackofficeListingsController, ListingImportController, ListingPatchController],
  providers: [ListingPatches],
})
export class ListingsApiModule {}
