import { Body, Controller, Inject, Param, Put, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderDetail } from '#orders/order.contract';
import { OrderSnooze } from '../queue.contract.js';
import { afterWrite } from '#database/database-errors';
import { DatabaseClock } from '#database/database-clock';
import { WorkItems } from './work-items.js';
import { QueueCounts } from './queue-counts.js';
import type { Caller } from '#accounts/caller';
import type { Clock } from '#base/clock';
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
    private readonly items: WorkItems,
    private readonly counts: QueueCounts,
    private readonly view: OrderView,
    @Inject(DatabaseClock) private readonly clock: Clock,
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
    if (until !== null && Date.parse(until) <= this.clock.now())
      throw HttpError.with(40001, 'until must be in the future');
    if (!(await this.items.snooze(id, until))) throw HttpError.notFound('order');
    this.counts.forget();
    auditDetail(request, { until });
    return await afterWrite(async () => orNotFound(await this.view.detail(id, caller), 'order'));
  }
}
