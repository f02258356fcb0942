import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CustomQueueBody,
  CustomQueueReplacement,
  Queue,
  QueueList,
  QueuePage,
  QueuePageQuery,
} from '../queue.contract.js';
import { type NewQueue, WorkQueues } from './work-queues.js';
import type { Caller } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import { StaffCaller } from '#accounts/staff-request';
import { OrderQueues, queueRefusal } from './order-queues.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/queues')
@ForStaff(['orders:read'])
@SellerScope('shared')
export class QueuesController {
  constructor(
    private readonly orders: OrderQueues,
    private readonly queues: WorkQueues,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listQueues', summary: 'The work queues with their counts and clocks' })
  @ApiOkResponse({ standardSchema: QueueList })
  @ApiErrors(40100)
  async list(@StaffCaller() caller: Caller): Promise<QueueList> {
    return { queues: await this.orders.list(caller) };
  }

  @Get(':id/orders')
  @ApiOperation({ operationId: 'listQueueOrders', summary: 'The orders of a queue by due time' })
  @ApiOkResponse({ standardSchema: QueuePage })
  @ApiErrors(40001, 40100, 40400)
  async page(
    @Param('id') id: string,
    @Query({ schema: QueuePageQuery }) query: QueuePageQuery,
    @StaffCaller() caller: Caller,
  ): Promise<QueuePage> {
    const queue = orNotFound(await this.queues.find(id), 'queue');
    const refusal = queueRefusal(caller, queue);
    if (refusal !== undefined) throw HttpError.with(40300, refusal);
    return await this.orders.page(queue, query, caller);
  }

  @Post()
  @Permit(['orders:act'])
  @Audit('queue.created', 'queue')
  @ApiOperation({ operationId: 'createQueue', summary: 'Make a queue of the orders that meet a condition' })
  @ApiCreatedResponse({ standardSchema: Queue })
  @ApiErrors(40000, 40001, 40100)
  async add(@Body({ schema: CustomQueueBody }) body: CustomQueueBody, @StaffCaller() caller: Caller): Promise<Queue> {
    notForBrokers(caller);
    return await this.orders.one(await this.queues.add(body), caller);
  }

  @Put(':id')
  @Permit(['orders:act'])
  @Audit('queue.changed', 'queue')
  @ApiOperation({ operationId: 'replaceQueue', summary: 'Change a queue that staff have made' })
  @ApiOkResponse({ standardSchema: Queue })
  @ApiErrors(40000, 40001, 40100, 40400)
  async replace(
    @Param('id') id: string,
    @Body({ schema: CustomQueueReplacement }) { name, where, due }: CustomQueueReplacement,
    @StaffCaller() caller: Caller,
  ): Promise<Queue> {
    notForBrokers(caller);
    const queue: NewQueue = { name, where, due };
    if (!(await this.queues.replace(id, queue))) throw HttpError.notFound('queue');
    return await this.orders.one({ ...queue, id }, caller);
  }

  @Delete(':id')
  @HttpCode(204)
  @Permit(['orders:act'])
  @Audit('queue.removed', 'queue')
  @ApiOperation({ operationId: 'removeQueue', summary: 'Remove a queue that staff have made; its orders stay' })
  @ApiNoContentResponse({ description: 'It is removed.' })
  @ApiErrors(40100, 40400)
  async remove(@Param('id') id: string, @StaffCaller() caller: Caller): Promise<void> {
    notForBrokers(caller);
    if (!(await this.queues.remove(id))) throw HttpError.notFound('queue');
  }
}

function notForBrokers({ sellers }: Caller): void {
  if (sellers) throw HttpError.with(40300, 'brokers cannot change queues, which all staff share');
}
