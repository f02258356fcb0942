import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForStaff } from '#accounts/permission.guard';
import { ApiErrors } from '#web/api-errors';
import { cursorPage, readCursor } from '#web/cursor-page';
import { type ProviderEventEntry, ProviderEventList, ProviderEventQuery } from '../provider-event.contract.js';
import { type EventCursor, ProviderEventInbox } from './provider-event-inbox.js';

@ApiTags('back office: money')
@Controller('backoffice/v1/provider-events')
@ForStaff(['money:read'])
export class ProviderEventsController {
  constructor(private readonly inbox: ProviderEventInbox) {}

  @Get()
  @ApiOperation({ operationId: 'listProviderEvents', summary: 'What payment providers told us, newest first' })
  @ApiOkResponse({ standardSchema: ProviderEventList })
  @ApiErrors(40001, 40100)
  async list(
    @Query({ schema: ProviderEventQuery }) { limit, cursor, ...filter }: ProviderEventQuery,
  ): Promise<ProviderEventList> {
    const after = readCursor(cursor, readEventCursor);
    const found = await this.inbox.list(filter, { limit: limit + 1, after });
    const { page, next_cursor } = cursorPage(found, limit, eventCursor);
    return { events: page, next_cursor };
  }
}

function eventCursor({ received_at, provider, id }: ProviderEventEntry): string {
  return Buffer.from(`${received_at} ${provider} ${id}`).toString('base64url');
}

function readEventCursor(text: string): EventCursor | undefined {
  const [, receivedAt, provider, id] = /^(\S+) (\S+) (.+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const isWhole = receivedAt !== undefined && provider !== undefined && id !== undefined;
  return isWhole && !Number.isNaN(Date.parse(receivedAt)) ? { receivedAt, provider, id } : undefined;
}
