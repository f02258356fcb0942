import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RevealedData, Revelation } from '../order.contract.js';
import { RevealReasons } from '../reveal-reasons.js';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { Audit, auditDetail } from '#accounts/audited';
import { ForStaff } from '#accounts/permission.guard';
import { SellerScope } from '#accounts/seller-scope';
import type { StaffRequest } from '#accounts/staff-request';
import { OrderView } from '../order-view.js';

@ApiTags('back office: orders')
@Controller('backoffice/v1/orders/:id/personal-data')
@ForStaff(['orders:reveal'])
@SellerScope('order')
export class PersonalDataController {
  constructor(
    private readonly view: OrderView,
    private readonly reasons: RevealReasons,
  ) {}

  @Post('reveal')
  @Audit('personal_data.revealed', 'order')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'revealPersonalData',
    summary: "Read the buyer's data in clear; the audit log keeps why, until the data is erased",
  })
  @ApiOkResponse({ standardSchema: RevealedData })
  @ApiErrors(40000, 40001, 40100, 40400)
  async reveal(
    @Param('id') id: string,
    @Body({ schema: Revelation }) { reason }: Revelation,
    @Req() request: StaffRequest,
  ): Promise<RevealedData> {
    const revealed = orNotFound(await this.view.revealed(id), 'personal data');
    // The data may have been erased since.
    auditDetail(request, orNotFound(await this.reasons.seal(id, reason), 'personal data'));
    return revealed;
  }
}
