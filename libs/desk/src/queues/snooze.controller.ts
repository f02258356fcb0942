import { Body, Controller, Param, Put, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderDetail } from '#orders/order.contract';
import { OrderSnooze } from '../queue.contract.js';
import { afterWrite } from '#database/database-errors';
import { Snoozes } from './snoozes.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { OrderView } from '#orders/order-view';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id')
@ForStaff(['orders:act'])
@SellerScope('order')
export class SnoozeController {
  constructor(
    private readonly snoozes: Snoozes,
    private readonly view: OrderView,
  ) {}

  @Put('snooze')
  @Audit('order.snoozed', 'order')
  @ApiOperation({
    operationId: 'snoozeOrder',
    summary: 'Hide an order from its queue until a time, or bring it back; its version stays',
  })
  @ApiOkResponse({ standardSchema: OrderDetail })
  @ApiErrors(40000, 40001, 40100, 40400, 40902)
  async snooze(
    @Param('id') id: string,
    @Body({ schema: OrderSnooze }) { until }: OrderSnooze,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
  ): Promise<OrderDetail> {
    if (!(await this.snoozes.snooze(id, until))) throw HttpError.notFound('order');
    auditDetail(request, { until });
    return await afterWrite(async () => orNotFound(await this.view.detail(id, caller), 'order'));
  }
}
