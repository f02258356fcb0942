import { Module } from '@nestjs/common';
import { CatalogueModule } from './catalogue.module.js';
import { StaffModule } from '#accounts/staff.module';
import { catalogueControllers } from './catalogue/catalogue.controllers.js';

/** The catalogue of events, performers and venues, for staff. */
@Module({
  imports: [StaffModule, CatalogueModule],
  controllers: [...catalogueControllers],
})
export class CatalogueApiModule {}
