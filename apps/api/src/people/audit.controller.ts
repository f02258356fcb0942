import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AuditPage, AuditQuery } from '#contracts/backoffice/audit';
import { RevealReasons } from '#orders/desk/reveal-reasons';
import { AuditLog } from '#people/audit-log';
import { OperatorNames } from '#people/operator-names';
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
    private readonly names: OperatorNames,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listAuditEntries', summary: 'Who did what, newest first' })
  @ApiOkResponse({ standardSchema: AuditPage })
  @ApiErrors(40001, 40100)
  async list(@Query({ schema: AuditQuery }) { limit, cursor, ...filter }: AuditQuery): Promise<AuditPage> {
    const before = readCursor(cursor, (text) => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined));
    const { entries, next } = await this.audit.page(filter, { before, limit });
    const [names, opened] = await Promise.all([
      this.names.of(entries.flatMap(({ actor, subject }) => [actor, subject])),
      this.reasons.opened(entries),
    ]);
    return {
      entries: opened.map((entry) => ({
        ...entry,
        actor_name: names.get(entry.actor) ?? null,
        subject_name: names.get(entry.subject) ?? null,
      })),
      next_cursor: next === undefined ? null : String(next),
    };
  }
}
