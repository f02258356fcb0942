import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForStaff } from '#accounts/permission.guard';
import { ApiErrors } from '#web/api-errors';
import { FirstStepList } from '../first-steps.contract.js';
import { FirstSteps } from './first-steps.js';

/** What a new installation needs. */
@ApiTags('back office: first steps')
@Controller('backoffice/v1/first-steps')
@ForStaff(['admin'])
export class FirstStepsController {
  constructor(private readonly steps: FirstSteps) {}

  @Get()
  @ApiOperation({ operationId: 'listFirstSteps', summary: 'The first steps, and which are done' })
  @ApiOkResponse({ standardSchema: FirstStepList })
  @ApiErrors(40100)
  list(): Promise<FirstStepList> {
    return this.steps.list();
  }
}
