import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import type { StaffRequest } from '#accounts/staff-request';
import { Sealer } from '#base/sealing';
import { Settings } from '#base/settings';
import { ApiErrors } from '#web/api-errors';
import { ChoiceLink } from '../choice.contract.js';
import { choiceUrl } from '../choice-links.js';
import { Choices } from './choices.js';

/** For buyers whom the mail did not reach. */
@ApiTags('back office: tickets')
@Controller('backoffice/v1/orders/:id/choice-link')
@ForStaff(['orders:act'])
@SellerScope('order')
export class ChoiceLinksController {
  constructor(
    private readonly choices: Choices,
    private readonly sealer: Sealer,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Audit('choice.linked', 'order')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'linkChoice',
    summary: 'The address where the buyer of a postponed show keeps the tickets or gives them back',
  })
  @ApiOkResponse({ standardSchema: ChoiceLink })
  @ApiErrors(40100, 40400, 40901)
  async link(@Param('id') id: string, @Req() request: StaffRequest): Promise<ChoiceLink> {
    const { until, ...choice } = await this.choices.open(id);
    auditDetail(request, { job: choice.job, expires_at: until });
    return { url: choiceUrl(this.sealer, this.settings.PUBLIC_URL, choice), expires_at: until };
  }
}
