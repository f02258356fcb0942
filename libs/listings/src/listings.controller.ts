import { Body, Controller, Delete, Get, Headers, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ListingBody, ListingChange, ListingDocument, ListingId } from './listing.contract.js';
import { ListingList, ListingListCursor, ListingListQuery } from './listing-list.contract.js';
import { describeIssues } from '#web/issues.contract';
import { documentOf } from './listing.js';
import { type ListingCursor, ListingQueries } from './listing-queries.js';
import { ExternalIdTaken, Listings } from './listings.js';
import { OwnListings } from './own-listings.js';
import type { Caller } from '#accounts/caller';
import { parseForeignJson } from '#base/json';
import { ApiErrors } from '#web/api-errors';
import { orNotFound, HttpError } from '#web/http-error';
import { cursorPage, readCursor } from '#web/cursor-page';
import { Audit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { expectedVersion } from '#web/if-match';

@ApiTags('back office: listings')
@Controller('backoffice/v1/listings')
@ForStaff(['listings:read'])
@SellerScope('listing')
export class BackofficeListingsController {
  constructor(
    private readonly listings: Listings,
    private readonly queries: ListingQueries,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listListings', summary: 'Find listings' })
  @ApiOkResponse({ standardSchema: ListingList })
  @ApiErrors(40001, 40100)
  async list(
    @Query({ schema: ListingListQuery }) query: ListingListQuery,
    @StaffCaller() { sellers }: Caller,
  ): Promise<ListingList> {
    const { sort, limit, cursor, ...filter } = query;
    const after = readCursor(cursor, parseCursor);
    const found = await this.queries.list({ ...filter, sellers }, { sort, limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, ({ id, createdAt, updatedAt }) => {
      const at = sort.startsWith('created_at') ? createdAt : updatedAt;
      return cursorOf({ at: at.toISOString(), id });
    });
    return { listings: page.map(documentOf), next_cursor };
  }

  @Put(':listing_id')
  @Permit(['listings:write'])
  @Audit('listing.changed', 'listing')
  @ApiOperation({
    operationId: 'putListing',
    summary: 'Create or replace a listing; its quantity is for sale in addition to what orders hold',
  })
  @ApiOkResponse({ standardSchema: ListingDocument })
  @ApiErrors(40000, 40001, 40100, 40400, 40902, 41300)
  async put(
    @Param('listing_id') id: string,
    @Body({ schema: ListingBody }) body: ListingBody,
    @StaffCaller() { sellers }: Caller,
  ): Promise<ListingDocument> {
    const { error } = ListingId.safeParse(id);
    if (error) throw HttpError.with(40001, `listing_id: ${describeIssues(error.issues)}`);
    if (body.listing_id !== undefined && body.listing_id !== id) {
      throw HttpError.with(40001, 'listing_id: must be that of the path');
    }
    if (!sellers) return documentOf(await this.listings.put(id, body).catch(refuseTakenId));
    const own = new OwnListings(this.listings, sellers);
    const refused = own.error(body);
    if (refused !== undefined) throw HttpError.with(40001, refused);
    const written = await this.listings.putOwn(id, own.withSeller(body), sellers).catch(refuseTakenId);
    return documentOf(orNotFound(written, 'listing'));
  }

  @Patch(':listing_id')
  @Permit(['listings:write'])
  @Audit('listing.changed', 'listing')
  @ApiOperation({
    operationId: 'changeListing',
    summary: 'Change some fields of a listing; without a quantity its stock stays as it is',
  })
  @ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'the version that the change is made from, in double quotes',
  })
  @ApiOkResponse({ standardSchema: ListingDocument })
  @ApiErrors(40000, 40001, 40100, 40400, 40902, 41201, 41300)
  async change(
    @Param('listing_id') id: string,
    @Body({ schema: ListingChange }) change: ListingChange,
    @Headers('if-match') ifMatch: string | undefined,
    @StaffCaller() { sellers }: Caller,
  ): Promise<ListingDocument> {
    const listing = orNotFound(await this.listings.read(id, sellers), 'listing');
    const { expectedVersion: version = listing.version } = expectedVersion(ifMatch);
    const { data: body, error } = ListingBody.safeParse({ ...documentOf(listing), ...change, listing_id: id });
    if (error) throw HttpError.with(40001, describeIssues(error.issues));
    const refused = sellers ? new OwnListings(this.listings, sellers).error(body) : undefined;
    if (refused !== undefined) throw HttpError.with(40001, refused);
    const quantity = 'quantity' in change ? body.quantity : undefined;
    const isCurrent = version === listing.version;
    const changed = isCurrent
      ? await this.listings.change(listing, body, quantity, sellers).catch(refuseTakenId)
      : undefined;
    if (changed) return documentOf(changed);
    orNotFound(await this.listings.read(id, sellers), 'listing');
    throw HttpError.with(41201, 'somebody else has changed the listing');
  }

  @Get(':listing_id')
  @ApiOperation({ operationId: 'getListing', summary: 'Read a listing, even a withdrawn one' })
  @ApiOkResponse({ standardSchema: ListingDocument })
  @ApiErrors(40100, 40400)
  async read(@Param('listing_id') id: string, @StaffCaller() { sellers }: Caller): Promise<ListingDocument> {
    return documentOf(orNotFound(await this.listings.read(id, sellers), 'listing'));
  }

  @Delete(':listing_id')
  @Permit(['listings:write'])
  @Audit('listing.withdrawn', 'listing')
  @ApiOperation({ operationId: 'withdrawListing', summary: 'Take a listing off sale; a PUT puts it on sale again' })
  @ApiOkResponse({ standardSchema: ListingDocument })
  @ApiErrors(40100, 40400)
  async withdraw(@Param('listing_id') id: string, @StaffCaller() { sellers }: Caller): Promise<ListingDocument> {
    return documentOf(orNotFound(await this.listings.withdraw(id, sellers), 'listing'));
  }
}

function refuseTakenId(error: unknown): never {
  throw error instanceof ExternalIdTaken ? HttpError.with(40902, error.message) : error;
}

function cursorOf({ at, id }: ListingCursor): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

function parseCursor(text: string): ListingCursor | undefined {
  try {
    const [at, id] = ListingListCursor.parse(parseForeignJson(Buffer.from(text, 'base64url').toString()));
    return { at, id };
  } catch {
    return undefined;
  }
}
