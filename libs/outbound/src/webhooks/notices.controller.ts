import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NoticeList, NoticeQuery } from '../webhook.contract.js';
import { Notices } from './notices.js';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { ForStaff } from '#accounts/permission.guard';

@ApiTags('back office: notices')
@Controller('backoffice/v1/notices')
@ForStaff(['delivery:read'])
export class NoticesController {
  constructor(private readonly notices: Notices) {}

  @Get()
  @ApiOperation({
    operationId: 'listNotices',
    summary: 'List notices, such as a disabled webhook; newest first',
  })
  @ApiOkResponse({ standardSchema: NoticeList })
  @ApiErrors(40001, 40100)
  async list(@Query({ schema: NoticeQuery }) { limit, cursor, subject }: NoticeQuery): Promise<NoticeList> {
    const before = readCursor(cursor, (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined));
    const found = await this.notices.list({ limit: limit + 1, before, subject });
    const { page, next_cursor } = cursorPage(found, limit, ({ id }) => String(id));
    return { notices: page, next_cursor };
  }
}
