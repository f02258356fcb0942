import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AuditPage, AuditQuery } from '#contracts/backoffice/audit';
import { RevealReasons } from '#orders/desk/reveal-reasons';
import { AuditLog } from '#people/audit-log';
import { readCursor } from '../http/cursor-page.js';
import { ApiErrors } from '../http/api-errors.js';
import { ForStaff } from './permission.guard.js';

@ApiTags('back office: audit')
@Controller('backoffice/v1/audit')
@ForStaff(['audit:read'])
export class AuditController {
  constructor(
    private readonly audit: AuditLog,
    private readonly reasons: RevealReasons,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listAuditEntries', summary: 'Who did what, newest first' })
  @ApiOkResponse({ standardSchema: AuditPage })
  @ApiErrors(40001, 40100)
  async list(@Query({ schema: AuditQuery }) { limit, cursor, ...filter }: AuditQuery): Promise<AuditPage> {
    const before = readCursor(cursor, (text) => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined));
    const { entries, next } = await this.audit.page(filter, { before, limit });
    return { entries: await this.reasons.opened(entries), next_cursor: next === undefined ? null : String(next) };
  }
}
