import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { metadataOf, type StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { Dispute, NewDispute } from '../dispute.contract.js';
import { Disputes } from './disputes.js';

@ApiTags('back office: money')
@Controller('backoffice/v1/orders/:id/disputes')
@ForStaff(['money:act'])
export class OrderDisputesController {
  constructor(private readonly disputes: Disputes) {}

  @Post()
  @Audit('dispute.opened', 'order')
  @ApiOperation({
    operationId: 'openDispute',
    summary: 'Open a dispute without a card network: a denied entry is due in 7 days, a cancelled sale in 14',
  })
  @ApiCreatedResponse({ standardSchema: Dispute })
  @ApiErrors(40000, 40001, 40100, 40400, 40901, 40902, 41201)
  async open(
    @Param('id') id: string,
    @Body({ schema: NewDispute }) wanted: NewDispute,
    @Req() request: StaffRequest,
  ): Promise<Dispute> {
    const dispute = await this.disputes.open(id, wanted, metadataOf(request));
    auditDetail(request, { dispute: dispute.id, kind: dispute.kind });
    return dispute;
  }
}
