import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AuditPage, AuditQuery } from '#accounts/audit.contract';
import { RevealReasons } from '#orders/reveal-reasons';
import { AuditLog } from '#accounts/audit-log';
import { OperatorNames } from '#accounts/operator-names';
import { readCursor } from '#web/cursor-page';
import { ApiErrors } from '#web/api-errors';
import { ForStaff } from '#accounts/permission.guard';

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
