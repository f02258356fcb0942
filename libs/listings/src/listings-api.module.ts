import { Module } from '@nestjs/common';
import { ListingsModule } from './listings.module.js';
import { StaffModule } from '#accounts/staff.module';
import { ListingImportController } from './import/listing-import.controller.js';
import { BackofficeListingsController } from './listings.controller.js';
import { ListingPatchController } from './patch/listing-patch.controller.js';
import { ListingPatches } from './patch/listing-patches.js';

/** Listings, for staff. */
@Module({
  imports: [StaffModule, ListingsModule],
  controllers: [BackofficeListingsController, ListingImportController, ListingPatchController],
  providers: [ListingPatches],
})
export class ListingsApiModule {}
