import { Body, Controller, Get, HttpCode, Post, Put, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { HttpError } from '#web/http-error';
import { Audit, auditDetail, skipAudit } from '../audited.js';
import { type Caller, operatorIdOf } from '../caller.js';
import { InboxPage, InboxSettings, InboxQuery, ReadInbox, UnreadInbox } from '../inbox.contract.js';
import { ForStaff } from '../permission.guard.js';
import { SellerScope } from '../seller-scope.js';
import { StaffCaller, type StaffRequest } from '../staff-request.js';
import { OwnInbox } from './own-inbox.js';

/** What people are told in the console. Programs are told nothing. */
@ApiTags('back office: inbox')
@Controller('backoffice/v1/inbox')
@ForStaff(['orders:read'])
@SellerScope('shared')
export class InboxController {
  constructor(private readonly notices: OwnInbox) {}

  @Get()
  @ApiOperation({
    operationId: 'listInbox',
    summary: 'Who mentioned you and what you were assigned in the last 90 days, newest first',
  })
  @ApiOkResponse({ standardSchema: InboxPage })
  @ApiErrors(40001, 40100)
  async list(
    @Query({ schema: InboxQuery }) { limit, cursor }: InboxQuery,
    @StaffCaller() caller: Caller,
  ): Promise<InboxPage> {
    const before = readCursor(cursor, (text) => (/^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined));
    const operatorId = operatorIdOf(caller);
    if (operatorId === undefined) return { notices: [], unread: 0, next_cursor: null };
    const reader = { operatorId, sellers: caller.sellers };
    const [found, unread] = await Promise.all([
      this.notices.list(reader, { limit: limit + 1, before }),
      this.notices.unread(reader),
    ]);
    const { page, next_cursor } = cursorPage(found, limit, ({ id }) => id);
    return { notices: page, unread, next_cursor };
  }

  @Post('read')
  @HttpCode(200)
  @ApiOperation({ operationId: 'readInbox', summary: 'Mark your notices as read, some of them or all' })
  @ApiOkResponse({ standardSchema: UnreadInbox })
  @ApiErrors(40000, 40001, 40100)
  async read(@Body({ schema: ReadInbox }) { ids }: ReadInbox, @StaffCaller() caller: Caller): Promise<UnreadInbox> {
    const operatorId = operatorIdOf(caller);
    if (operatorId === undefined) return { unread: 0 };
    await this.notices.read(operatorId, ids);
    return { unread: await this.notices.unread({ operatorId, sellers: caller.sellers }) };
  }

  @Get('settings')
  @ApiOperation({ operationId: 'getInboxSettings', summary: 'Whether you get your notices by e-mail too' })
  @ApiOkResponse({ standardSchema: InboxSettings })
  @ApiErrors(40100)
  async settings(@StaffCaller() caller: Caller): Promise<InboxSettings> {
    const operatorId = operatorIdOf(caller);
    return { email: operatorId !== undefined && (await this.notices.getsMails(operatorId)) };
  }

  @Put('settings')
  @Audit('inbox_settings.changed', 'inbox_settings')
  @ApiOperation({ operationId: 'setInboxSettings', summary: 'Say whether you want your notices by e-mail too' })
  @ApiOkResponse({ standardSchema: InboxSettings })
  @ApiErrors(40000, 40001, 40100)
  async set(
    @Body({ schema: InboxSettings }) { email }: InboxSettings,
    @StaffCaller() caller: Caller,
    @Req() request: StaffRequest,
  ): Promise<InboxSettings> {
    const operatorId = operatorIdOf(caller);
    if (operatorId === undefined) throw HttpError.with(40300, 'a token has no e-mail address');
    if ((await this.notices.getsMails(operatorId)) === email) skipAudit(request);
    else await this.notices.setMails(operatorId, email);
    auditDetail(request, { email });
    return { email };
  }
}
