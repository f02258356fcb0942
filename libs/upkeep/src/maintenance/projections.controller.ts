import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ProjectionList } from '../maintenance.contract.js';
import { Projections } from './projections.js';
import { ApiErrors } from '#web/api-errors';
import { ForStaff } from '#accounts/permission.guard';

@ApiTags('back office: maintenance')
@Controller('backoffice/v1/projections')
@ForStaff(['delivery:read'])
export class ProjectionsController {
  constructor(private readonly projections: Projections) {}

  @Get()
  @ApiOperation({
    operationId: 'listProjections',
    summary: 'What is derived from the events, and how far each part is',
  })
  @ApiOkResponse({ standardSchema: ProjectionList })
  @ApiErrors(40100)
  async list(): Promise<ProjectionList> {
    return { projections: [...(await this.projections.list())] };
  }
}
