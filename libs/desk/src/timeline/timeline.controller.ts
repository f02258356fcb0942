import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Timeline, TimelineQuery } from '../timeline.contract.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { OrderTimeline } from './order-timeline.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/timeline')
@ForStaff(['orders:read'])
@SellerScope('order')
export class TimelineController {
  constructor(private readonly timeline: OrderTimeline) {}

  @Get()
  @ApiOperation({ operationId: 'readOrderTimeline', summary: 'Everything that happened to the order' })
  @ApiOkResponse({ standardSchema: Timeline })
  @ApiErrors(40001, 40100, 40400)
  async read(
    @Param('id') id: string,
    @Query({ schema: TimelineQuery }) query: TimelineQuery,
    @StaffCaller() caller: Caller,
  ): Promise<Timeline> {
    return orNotFound(await this.timeline.page(id, query, caller), 'order');
  }
}
