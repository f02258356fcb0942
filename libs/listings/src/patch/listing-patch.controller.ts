import { Body, Controller, Patch, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { callerOf, type StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { ListingPatch, ListingPatchResults } from '../listing-patch.contract.js';
import { ListingPatches } from './listing-patches.js';

@ApiTags('back office: listings')
@Controller('backoffice/v1/listings')
@ForStaff(['listings:read'])
@SellerScope('listing')
export class ListingPatchController {
  constructor(private readonly patches: ListingPatches) {}

  @Patch()
  @Permit(['listings:write'])
  @Audit('listings.changed', 'listings')
  @ApiOperation({
    operationId: 'changeListings',
    summary: 'Change prices, quantities and states of up to 1,000 listings; each line is done or refused by itself',
  })
  @ApiOkResponse({ standardSchema: ListingPatchResults })
  @ApiErrors(40000, 40001, 40100, 41300)
  async change(
    @Body({ schema: ListingPatch }) { listings }: ListingPatch,
    @Req() request: StaffRequest,
  ): Promise<ListingPatchResults> {
    const results = await this.patches.apply(listings, callerOf(request).sellers);
    const changed = results.filter(({ outcome }) => outcome === 'changed').length;
    if (changed === 0) skipAudit(request);
    auditDetail(request, { changed });
    return { results };
  }
}
