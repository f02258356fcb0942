import { Controller, Delete, Get, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { metadataOf, type StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { SampleRemovalResult, SampleState } from '../sample.contract.js';
import { SampleRemoval } from './sample-removal.js';

/** The invented shows, listings and orders of the first start. */
@ApiTags('back office: first steps')
@Controller('backoffice/v1/sample')
@ForStaff(['admin'])
export class SampleController {
  constructor(private readonly sample: SampleRemoval) {}

  @Get()
  @ApiOperation({ operationId: 'getSample', summary: 'Whether there is sample data' })
  @ApiOkResponse({ standardSchema: SampleState })
  @ApiErrors(40100)
  state(): Promise<SampleState> {
    return this.sample.state();
  }

  @Delete()
  @Audit('sample.removed', 'sample')
  @ApiOperation({
    operationId: 'removeSample',
    summary: 'Remove the sample data. Events, the ledger, the audit log and what others bought stay',
  })
  @ApiOkResponse({ standardSchema: SampleRemovalResult })
  @ApiErrors(40100)
  async remove(@Req() request: StaffRequest): Promise<SampleRemovalResult> {
    const removed = await this.sample.remove(metadataOf(request));
    if (Object.values(removed).every((count) => count === 0)) skipAudit(request);
    auditDetail(request, removed);
    return removed;
  }
}
