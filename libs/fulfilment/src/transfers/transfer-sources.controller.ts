import { Body, Controller, Get, Put, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import type { StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { TransferSourceList } from '../transfer.contract.js';
import { TransferSources } from './transfer-sources.js';

@ApiTags('back office: tickets')
@Controller('backoffice/v1/transfer-sources')
@ForStaff(['orders:read'])
@SellerScope('shared')
export class TransferSourcesController {
  constructor(private readonly sources: TransferSources) {}

  @Get()
  @ApiOperation({ operationId: 'listTransferSources', summary: 'Where tickets can be transferred' })
  @ApiOkResponse({ standardSchema: TransferSourceList })
  @ApiErrors(40100)
  async list(): Promise<TransferSourceList> {
    return { sources: await this.sources.list() };
  }

  @Put()
  @Permit(['admin'])
  @Audit('transfer_sources.changed', 'transfer_sources')
  @ApiOperation({ operationId: 'replaceTransferSources', summary: 'Replace the list of transfer sources' })
  @ApiOkResponse({ standardSchema: TransferSourceList })
  @ApiErrors(40000, 40001, 40100)
  async replace(
    @Body({ schema: TransferSourceList }) body: TransferSourceList,
    @Req() request: StaffRequest,
  ): Promise<TransferSourceList> {
    await this.sources.replace(body.sources);
    auditDetail(request, { sources: body.sources.map(({ id }) => id) });
    return { sources: await this.sources.list() };
  }
}
