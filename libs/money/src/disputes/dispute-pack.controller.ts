import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Audit, auditDetail, skipAudit } from '#accounts/audited';
import type { Permission } from '#accounts/permission.contract';
import { ForStaff } from '#accounts/permission.guard';
import { callerOf, type StaffRequest } from '#accounts/staff-request';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { PackQuery } from '../dispute.contract.js';
import { DisputeDesk } from './dispute-desk.js';
import { DisputePacks } from './dispute-packs.js';

@ApiTags('back office: money')
@Controller('backoffice/v1/disputes')
@ForStaff(['money:read'])
export class DisputePackController {
  constructor(
    private readonly desk: DisputeDesk,
    private readonly packs: DisputePacks,
  ) {}

  @Get(':id/pack')
  @Audit('dispute.pack_opened', 'dispute')
  @ApiOperation({
    operationId: 'downloadDisputePack',
    summary:
      'The evidence as a zip: what had happened when it was first made, the same bytes from then on. Masked by default',
  })
  @ApiOkResponse({ content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } })
  @ApiErrors(40001, 40100, 40300, 40400)
  async read(
    @Param('id') id: string,
    @Query({ schema: PackQuery }) { clear, renew }: PackQuery,
    @Req() request: StaffRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const [isClear, isRenewed] = [clear === 'true', renew === 'true'];
    if (isClear) demand(request, 'orders:reveal');
    if (isRenewed) demand(request, 'money:act');
    const dispute = await this.desk.one(id);
    if (isRenewed) await this.packs.renew(dispute);
    const { asOf, content } = await this.packs.of(dispute, isClear ? 'clear' : 'masked');
    if (isClear || isRenewed)
      auditDetail(request, { order: dispute.order_id, clear: isClear, renewed: isRenewed, as_of: asOf });
    else skipAudit(request);
    void reply.headers({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="evidence-${id.replaceAll(/[^\w-]/g, '_')}.zip"`,
      'cache-control': 'private, no-store',
    });
    return content;
  }
}

function demand(request: StaffRequest, permission: Permission): void {
  if (!callerOf(request).permissions.includes(permission)) throw HttpError.with(40300, permission);
}
