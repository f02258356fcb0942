import { Body, Controller, HttpCode, Param, Put, Req } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { QueueEscalation } from '../queue.contract.js';
import { WorkQueues } from './work-queues.js';
import type { Caller } from '#accounts/caller';
import { Operators } from '#accounts/operators';
import { ApiErrors } from '#web/api-errors';
import { HttpError, orNotFound } from '#web/http-error';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { StaffCaller, type StaffRequest } from '#accounts/staff-request';
import { checkAssignee } from '#orders/assignee';
import { queueRefusal } from './order-queues.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/queues/:id/escalation')
@ForStaff(['runs:act'])
export class QueueEscalationController {
  constructor(
    private readonly queues: WorkQueues,
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
    const refusal = queueRefusal(caller, orNotFound(await this.queues.find(id), 'queue'));
    if (refusal !== undefined) throw HttpError.with(40300, refusal);
    const { after_minutes: minutes = null, assignee = null, notify = null } = given ?? {};
    await checkAssignee(this.operators, assignee, 'assignee');
    const rule = minutes === null ? null : { after_minutes: minutes, assignee, notify };
    await this.queues.setEscalation(id, rule);
    auditDetail(request, { after_minutes: minutes, assignee, announced: notify !== null });
  }
}
