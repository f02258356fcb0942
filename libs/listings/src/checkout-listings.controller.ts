import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { errorEntry } from '#web/error-body.contract';
import { LOOKUP_UNAVAILABLE_MESSAGE } from '#web/errors.contract';
import { CheckoutListing, ListingQuery } from './checkout-listing.contract.js';
import { dollarsOf } from '#domain/money';
import { type Quote, quote, wholesaleQuote } from '#domain/pricing';
import { canBuy, splits } from '#domain/splits';
import type { Listing } from './listing.js';
import { Listings } from './listings.js';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { Client, PaymentProviderGuard, type PlatformClient, PlatformGuard } from '#accounts/platform.guard';

@ApiTags('checkout')
@ApiSecurity('platform')
@Controller('checkout/v1/listings')
@UseGuards(PlatformGuard)
export class ListingsController {
  constructor(private readonly listings: Listings) {}

  @Get(':listing_id')
  @UseGuards(PaymentProviderGuard)
  @ApiOperation({
    operationId: 'lookUpListing',
    summary: 'Look up a listing: its current quantities, price, tax and delivery',
  })
  @ApiOkResponse({ standardSchema: CheckoutListing })
  @ApiErrors(40001, 40011, 40012, 40014, 40100, 42900, 50300)
  async lookUp(
    @Client() { variant }: PlatformClient,
    @Param('listing_id') id: string,
    @Query({ schema: ListingQuery }) query: ListingQuery,
  ): Promise<CheckoutListing> {
    const listing = await this.listings.find(id);
    if (!listing) throw HttpError.with(40012, 'listing_id');
    if (query.event_id !== undefined && query.event_id !== listing.eventId) throw HttpError.with(40012, 'event_id');
    if (listing.withdrawnAt || listing.available === 0) throw unavailable();
    if (query.quantity !== undefined && !canBuy(listing.splitRule, listing.available, query.quantity)) {
      throw HttpError.with(40011, 'quantity');
    }
    return document(listing, variant === 'wholesale' ? wholesaleQuote(listing, query) : quote(listing, query));
  }
}

/** The specification words 40014 of a lookup differently from that of a purchase. */
function unavailable(): HttpError {
  return new HttpError(400, { errors: [{ ...errorEntry(40014), message: LOOKUP_UNAVAILABLE_MESSAGE }] });
}

function document(listing: Listing, quoted: Quote): CheckoutListing {
  const { priceCents, feesCents, taxCents, deliveryMethods } = quoted;
  return {
    listing_id: listing.id,
    section: listing.section,
    row: listing.row,
    notes: listing.notes,
    splits: splits(listing.splitRule, listing.available),
    price: dollarsOf(priceCents),
    fees: dollarsOf(feesCents),
    tax: dollarsOf(taxCents),
    delivery_methods: deliveryMethods.map(({ type, name, costCents }) => ({
      type,
      name,
      cost: dollarsOf(costCents),
    })),
    ...(listing.marketSpecificFields && { market_specific_fields: { ...listing.marketSpecificFields } }),
  };
}
