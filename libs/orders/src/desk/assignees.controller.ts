import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AssigneeList } from '../order-desk.contract.js';
import { Operators } from '#accounts/operators';
import { ForStaff } from '#accounts/permission.guard';

/** The colleagues that an order can be given to, for people who may not list operators. */
@ApiTags('back office: orders')
@Controller('backoffice/v1/assignees')
@ForStaff(['orders:act'])
export class AssigneesController {
  constructor(private readonly operators: Operators) {}

  @Get()
  @ApiOperation({ operationId: 'listAssignees', summary: 'The operators that an order can be assigned to' })
  @ApiOkResponse({ standardSchema: AssigneeList })
  async list(): Promise<AssigneeList> {
    const operators = await this.operators.list();
    const active = operators.filter(({ state }) => state === 'active');
    return { assignees: active.map(({ id, name }) => ({ id, name })) };
  }
}
