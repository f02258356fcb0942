import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';
import { callerOf, type StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { MoneyTask, MoneyTaskEnd, MoneyTaskList, MoneyTaskQuery } from '../money-task.contract.js';
import { dueCursor, readDueCursor } from '../paging/due-cursor.js';
import { MoneyTasks } from './money-tasks.js';

/** Work about money that only a person can do. */
@ApiTags('back office: money')
@Controller('backoffice/v1/money/tasks')
@ForStaff(['money:read'])
export class MoneyTasksController {
  constructor(private readonly tasks: MoneyTasks) {}

  @Get()
  @ApiOperation({ operationId: 'listMoneyTasks', summary: 'Work about money, first what is due first' })
  @ApiOkResponse({ standardSchema: MoneyTaskList })
  @ApiErrors(40001, 40100)
  async list(@Query({ schema: MoneyTaskQuery }) { limit, cursor, ...filter }: MoneyTaskQuery): Promise<MoneyTaskList> {
    const after = readCursor(cursor, readDueCursor);
    const found = await this.tasks.page(filter, { limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, dueCursor);
    return { tasks: page, next_cursor };
  }

  @Post(':id/done')
  @Permit(['money:act'])
  @Audit('money_task.done', 'money_task')
  @HttpCode(200)
  @ApiOperation({ operationId: 'endMoneyTask', summary: 'Say that a task is done, and what was done' })
  @ApiOkResponse({ standardSchema: MoneyTask })
  @ApiErrors(40000, 40001, 40100, 40400, 40902)
  async end(
    @Param('id') id: string,
    @Body({ schema: MoneyTaskEnd }) { note }: MoneyTaskEnd,
    @Req() request: StaffRequest,
  ): Promise<MoneyTask> {
    const task = await this.tasks.end(id, { note, by: callerOf(request).actor });
    auditDetail(request, { kind: task.kind, order: task.order_id });
    return task;
  }
}
