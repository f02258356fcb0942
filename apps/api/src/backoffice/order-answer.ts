import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { OrderDetail } from '#contracts/backoffice/order';
import { afterWrite } from '#database/database-errors';
import type { Caller } from '#people/caller';
import { orNotFound } from '../http/http-error.js';
import { OrderView } from './order-view.js';

/** The answer to a change of an order: the order as it is then, and its version as the ETag. */
@Injectable()
export class OrderAnswer {
  constructor(private readonly view: OrderView) {}

  async afterWrite(id: string, caller: Caller, reply: FastifyReply): Promise<OrderDetail> {
    const order = await afterWrite(async () => orNotFound(await this.view.detail(id, caller), 'order'));
    reply.header('etag', `"${order.version}"`);
    return order;
  }
}
