import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { NewReplay, Replay, ReplayList, ReplayPreview, ReplayQuery } from '../replay.contract.js';
import { MAX_ITEMS, type ReplayError, Replays } from '../replays.js';
import { ApiErrors } from '#web/api-errors';
import { orNotFound, HttpError } from '#web/http-error';
import { cursorPage, readCursor } from '#web/cursor-page';
import { Audit } from '#accounts/audited';
import { ForStaff, Permit } from '#accounts/permission.guard';

@ApiTags('back office: replays')
@Controller('backoffice/v1/replays')
@ForStaff(['delivery:read'])
export class ReplaysController {
  constructor(private readonly replays: Replays) {}

  @Post()
  @Permit(['delivery:act'])
  @Audit('replay.started', 'replay')
  @HttpCode(201)
  @ApiOperation({
    operationId: 'startReplay',
    summary: 'Send the matching entries again, at a limited rate, to the platform or to one webhook',
  })
  @ApiCreatedResponse({ standardSchema: Replay })
  @ApiOkResponse({ standardSchema: ReplayPreview, description: 'on a dry run' })
  @ApiErrors(40000, 40001, 40100, 40400)
  async start(
    @Body({ schema: NewReplay }) { endpoint, per_second, dry_run, ...selection }: NewReplay,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Replay | ReplayPreview> {
    const replay = { endpoint, per_second, selection };
    if (!dry_run) return unwrap(await this.replays.start(replay));
    const { total, ids } = unwrap(await this.replays.preview(replay));
    void reply.status(200);
    return { dry_run, total, ids: [...ids] };
  }

  @Get()
  @ApiOperation({ operationId: 'listReplays', summary: 'List all replays, newest first' })
  @ApiOkResponse({ standardSchema: ReplayList })
  @ApiErrors(40001, 40100)
  async list(@Query({ schema: ReplayQuery }) { limit, cursor }: ReplayQuery): Promise<ReplayList> {
    const before = readCursor(cursor, (text) => (/^rpl_[0-9a-f]{32}$/.test(text) ? text : undefined));
    const found = await this.replays.list({ limit: limit + 1, before });
    const { page, next_cursor } = cursorPage(found, limit, ({ id }) => id);
    return { replays: page, next_cursor };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getReplay', summary: 'Read the progress of a replay' })
  @ApiOkResponse({ standardSchema: Replay })
  @ApiErrors(40100, 40400)
  async read(@Param('id') id: string): Promise<Replay> {
    return orNotFound(await this.replays.find(id), 'replay');
  }

  @Post(':id/pause')
  @Permit(['delivery:act'])
  @Audit('replay.paused', 'replay')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'pauseReplay',
    summary: 'Pause a running replay, unless it has ended',
  })
  @ApiOkResponse({ standardSchema: Replay })
  @ApiErrors(40100, 40400, 40902)
  async pause(@Param('id') id: string): Promise<Replay> {
    return orNotFound(await this.replays.pause(id), 'replay');
  }

  @Post(':id/resume')
  @Permit(['delivery:act'])
  @Audit('replay.resumed', 'replay')
  @HttpCode(200)
  @ApiOperation({ operationId: 'resumeReplay', summary: 'Resume a paused replay, unless it has ended' })
  @ApiOkResponse({ standardSchema: Replay })
  @ApiErrors(40100, 40400, 40902)
  async resume(@Param('id') id: string): Promise<Replay> {
    return orNotFound(await this.replays.resume(id), 'replay');
  }

  @Post(':id/cancel')
  @Permit(['delivery:act'])
  @Audit('replay.cancelled', 'replay')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelReplay',
    summary: 'Cancel a replay for good, unless it has ended',
  })
  @ApiOkResponse({ standardSchema: Replay })
  @ApiErrors(40100, 40400, 40902)
  async cancel(@Param('id') id: string): Promise<Replay> {
    return orNotFound(await this.replays.cancel(id), 'replay');
  }
}

function unwrap<T extends object>(result: T | ReplayError): T {
  if (!('error' in result)) return result;
  switch (result.error) {
    case 'UNKNOWN_ENDPOINT':
      throw HttpError.with(40400, 'endpoint: there is no such webhook');
    case 'TOO_MANY':
      throw HttpError.with(
        40001,
        `since, until: at most ${MAX_ITEMS} can be sent again at once; choose a shorter time`,
      );
  }
}
