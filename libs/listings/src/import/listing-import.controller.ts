import { Controller, HttpCode, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { ListingImportQuery, ListingImportReport } from '../listing-import.contract.js';
import { type Defaults, DefaultsError, readDefaults } from '../import-formats.js';
import { ListingImport } from '../listing-import.js';
import { ListingPreview } from '../listing-preview.js';
import { Listings } from '../listings.js';
import { OwnListings } from '../own-listings.js';
import { ShowFinder } from '../show-finder.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { LISTING_FILE_TYPES } from '#web/listing-file-types';
import { uploadOf, withLongUpload } from '#web/long-upload';
import { Audit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';

@ApiTags('back office: listings')
@Controller('backoffice/v1/listings')
@ForStaff(['listings:read'])
@SellerScope('listing')
export class ListingImportController {
  constructor(
    private readonly listings: Listings,
    private readonly listingImport: ListingImport,
    private readonly pool: Pool,
  ) {}

  @Post('import')
  @Permit(['listings:write'])
  @Audit('listings.imported', 'listings')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'importListings',
    summary: 'Import listings from a stream; invalid lines are reported, all others are imported',
  })
  @ApiConsumes(...Object.keys(LISTING_FILE_TYPES))
  @ApiBody({
    required: true,
    schema: { type: 'string' },
    description: 'CSV with a header row and any separator, or a JSON object a line',
  })
  @ApiOkResponse({ standardSchema: ListingImportReport })
  @ApiErrors(40000, 40001, 40100, 41500)
  async importAll(
    @Req() request: StaffRequest,
    @Query({ schema: ListingImportQuery }) query: ListingImportQuery,
    @StaffCaller() { sellers }: Caller,
  ): Promise<ListingImportReport> {
    const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
    const format = LISTING_FILE_TYPES[mediaType];
    if (!format) throw HttpError.with(41500, Object.keys(LISTING_FILE_TYPES).join(', '));
    const own = sellers && new OwnListings(this.listings, sellers);
    const options = { map: query.map, defaults: defaultsOf(query, sellers), shows: new ShowFinder(this.pool) };
    const preview = query.dry_run === 'true' ? new ListingPreview(this.pool, own ?? undefined) : undefined;
    // An import that stops early must not destroy the upload, because the answer would be lost with it.
    const upload = uploadOf(request).iterator({ destroyOnReturn: false });
    let soFar: ListingImportReport | undefined;
    const onBatch = (report: ListingImportReport) => (soFar = report);
    try {
      const target = preview ?? own ?? this.listings;
      const report = await withLongUpload(request, () =>
        this.listingImport.run(format, upload, onBatch, target, options),
      );
      return preview ? { ...report, dry_run: true, ...preview.found } : report;
    } catch (fault) {
      throw request.raw.readableAborted ? HttpError.with(40000, brokenOff(soFar)) : fault;
    }
  }
}

/** A broker with one seller need not name it. It also keeps the ids apart that are made for lines without one. */
function defaultsOf({ defaults: texts = [] }: ListingImportQuery, sellers: Caller['sellers']): Defaults {
  const [only, ...others] = sellers ?? [];
  try {
    return { ...(only !== undefined && others.length === 0 && { seller: only }), ...readDefaults(texts) };
  } catch (error) {
    throw error instanceof DefaultsError ? HttpError.with(40001, error.message) : error;
  }
}

function brokenOff({ imported, failed } = { imported: 0, failed: 0 }): string {
  return `the upload broke off: ${imported} lines were imported and ${failed} failed, what followed was not read`;
}
