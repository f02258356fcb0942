import { Module } from '@nestjs/common';
import { CheckoutAccessModule } from '#accounts/checkout-access.module';
import { ListingsController } from './checkout-listings.controller.js';
import { ListingsModule } from './listings.module.js';

/** Listings, for the platform. */
@Module({ imports: [CheckoutAccessModule, ListingsModule], controllers: [ListingsController] })
export class CheckoutListingsModule {}
