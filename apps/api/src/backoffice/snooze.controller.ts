import { Body, Controller, Inject, Param, Put, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderDetail } from '#contracts/backoffice/order';
import { OrderSnooze } from '#contracts/backoffice/queue';
import { afterWrite } from '#database/database-errors';
import { DatabaseClock } from '#database/database-clock';
import { WorkItems } from '#orders/queues/work-items';
import { WorkQueues } from '#orders/queues/work-queues';
import type { Caller } from '#people/caller';
import type { Clock } from '#runtime/clock';
import { ApiErrors } from '../http/api-errors.js';
import { HttpError, orNotFound } from '../http/http-error.js';
import { Audit, auditDetail } from '../people/audited.js';
import { ForStaff } from '../people/permission.guard.js';
import { SellerScope } from '../people/seller-scope.js';
import { StaffCaller, type StaffRequest } from '../people/staff-request.js';
import { OrderView } from './order-view.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id')
@ForStaff(['orders:act'])
@SellerScope('order')
export class SnoozeController {
  constructor(
    private readonly items: WorkItems,
    private readonly queues: WorkQueues,
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
    this.queues.forgetCounts();
    auditDetail(request, { until });
    return await afterWrite(async () => orNotFound(await this.view.detail(id, caller), 'order'));
  }
}
