import { Injectable } from '@nestjs/common';
import { type Command, CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { OrderDetail } from '../order.contract.js';
import { afterWrite } from '#database/database-errors';
import { orNotFound } from '#web/http-error';
import { skipAudit } from '#accounts/audited';
import { callerOf, type StaffRequest } from '#accounts/staff-request';
import { OrderView } from '../order-view.js';

/** A command about one order. It returns whether it recorded anything, or nothing if it always does. */
type OrderCommand = Command<boolean> | Command<void>;

type Exchange = Readonly<{ request: StaffRequest; reply: FastifyReply }>;

/** The changes of orders by staff. Each answers with the order after it, and with its version as the ETag. */
@Injectable()
export class OrderCommands {
  constructor(
    private readonly commands: CommandBus,
    private readonly view: OrderView,
  ) {}

  /**
   * Executes the command and answers.
   *
   * @param otherwise what to do if the command records nothing. Without it, such a request is not in the audit log.
   */
  async execute(
    command: OrderCommand & Readonly<{ orderId: string }>,
    exchange: Exchange,
    otherwise?: () => Promise<unknown>,
  ): Promise<OrderDetail> {
    const recorded = await this.commands.execute<boolean | void>(command);
    if (recorded === false) {
      if (otherwise) await otherwise();
      else skipAudit(exchange.request);
    }
    return await this.answer(command.orderId, exchange);
  }

  /** Only the answer, for a change without a command. */
  async answer(orderId: string, { request, reply }: Exchange): Promise<OrderDetail> {
    const caller = callerOf(request);
    const order = await afterWrite(async () => orNotFound(await this.view.detail(orderId, caller), 'order'));
    reply.header('etag', `"${order.version}"`);
    return order;
  }
}
