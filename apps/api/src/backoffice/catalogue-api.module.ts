import { Module } from '@nestjs/common';
import { CatalogueModule } from '#catalogue/catalogue.module';
import { StaffModule } from '../people/staff.module.js';
import { catalogueControllers } from './catalogue.controllers.js';

/** The catalogue of events, performers and venues, for staff. */
@Module({
  imports: [StaffModule, CatalogueModule],
  controllers: [...catalogueControllers],
})
export class CatalogueApiModule {}
