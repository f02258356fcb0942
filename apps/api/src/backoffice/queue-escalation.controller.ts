import { Body, Controller, HttpCode, Param, Put, Req } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { QueueEscalation } from '#contracts/backoffice/queue';
import { Escalations } from '#orders/queues/escalations';
import { OwnQueues } from '#orders/queues/own-queues';
import type { Caller } from '#people/caller';
import { Operators } from '#people/operators';
import { ApiErrors } from '../http/api-errors.js';
import { HttpError, orNotFound } from '../http/http-error.js';
import { Audit, auditDetail } from '../people/audited.js';
import { ForStaff } from '../people/permission.guard.js';
import { StaffCaller, type StaffRequest } from '../people/staff-request.js';
import { checkAssignee } from './assignee.js';
import { isBuiltIn, queueRefusal } from './order-queues.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/queues/:id/escalation')
@ForStaff(['runs:act'])
export class QueueEscalationController {
  constructor(
    private readonly escalations: Escalations,
    private readonly own: OwnQueues,
    private readonly operators: Operators,
  ) {}

  @Put()
  @HttpCode(204)
  @Audit('queue.escalation_changed', 'queue')
  @ApiOperation({
    operationId: 'setQueueEscalation',
    summary: 'Say after which time an order that stays in a queue is escalated, who gets it, and who is told',
  })
  @ApiNoContentResponse({ description: 'It counts from now on, also for the orders that are in the queue.' })
  @ApiErrors(40000, 40001, 40100, 40400)
  async set(
    @Param('id') id: string,
    @Body({ schema: QueueEscalation }) given: QueueEscalation,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
  ): Promise<void> {
    const refusal = isBuiltIn(id) ? undefined : queueRefusal(caller, orNotFound(await this.own.find(id), 'queue'));
    if (refusal !== undefined) throw HttpError.with(40300, refusal);
    const { after_minutes: minutes = null, assignee = null, notify = null } = given ?? {};
    await checkAssignee(this.operators, assignee, 'assignee');
    const rule = minutes === null ? null : { after_minutes: minutes, assignee, notify };
    await this.escalations.setRule(id, rule);
    auditDetail(request, { after_minutes: minutes, assignee, announced: notify !== null });
  }
}
