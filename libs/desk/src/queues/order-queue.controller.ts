import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderQueue } from '../queue.contract.js';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { OrderQueues } from './order-queues.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/queue')
@ForStaff(['orders:read'])
@SellerScope('order')
export class OrderQueueController {
  constructor(private readonly queues: OrderQueues) {}

  @Get()
  @ApiOperation({
    operationId: 'readOrderQueue',
    summary: 'The built-in queue that the order is in, and by when it must leave it',
  })
  @ApiOkResponse({ standardSchema: OrderQueue })
  @ApiErrors(40100, 40400)
  async read(@Param('id') id: string): Promise<OrderQueue> {
    return orNotFound(await this.queues.placeOf(id), 'order');
  }
}
