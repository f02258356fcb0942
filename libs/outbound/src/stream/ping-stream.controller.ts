import { Controller, Get, Header, Headers, Query, Req, Res, UseGuards } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCookieAuth,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeIssues } from '#web/issues.contract';
import {
  EpochConflictBody,
  LastEventId,
  LivePingsQuery,
  PingStreamPage,
  PingStreamQuery,
} from '../ping-stream.contract.js';
import type { StreamOwner } from '#accounts/caller';
import { ApiErrors } from '#web/api-errors';
import { HttpError } from '#web/http-error';
import { openEventStream } from '#web/event-stream';
import { ReaderShares } from '../reader-shares.js';
import { OwnerOfStream, StreamGuard } from './stream.guard.js';
import { StreamReading } from './stream-reading.js';

const EPOCH_CONFLICT = {
  status: 409,
  description: '40902 the position is of another epoch, or beyond the end',
  standardSchema: EpochConflictBody,
};

@ApiTags('ping stream')
@ApiBearerAuth('stream')
@ApiCookieAuth('session')
@Controller('stream/v1/pings')
@UseGuards(StreamGuard)
export class PingStreamController {
  constructor(
    private readonly reading: StreamReading,
    private readonly shares: ReaderShares,
  ) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({
    operationId: 'readPingStream',
    summary: 'Read all pings after a position, oldest first',
  })
  @ApiOkResponse({ standardSchema: PingStreamPage })
  @ApiErrors(40001, 40100, 40300, 50300)
  @ApiResponse(EPOCH_CONFLICT)
  async page(
    @Query({ schema: PingStreamQuery }) { wait, after, limit, epoch, ...filter }: PingStreamQuery,
    @OwnerOfStream() owner: StreamOwner | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (wait > 0) this.shares.take(owner, reply.raw);
    return await this.reading.page(
      { after, limit, filter, epoch },
      { waitMs: wait * 1_000, response: reply.raw, owner },
    );
  }

  @Get('live')
  @ApiOperation({
    operationId: 'followPingStream',
    summary: 'Read the same entries live as server-sent events; the id of an event is its position',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'continue after this position' })
  @ApiOkResponse({
    description:
      'First an event of type `epoch`, with `{epoch, last}` as data; then events without a type, with an entry each as data. Without a position to go on after: what comes from now on.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiErrors(40001, 40100, 40300, 50300)
  @ApiResponse(EPOCH_CONFLICT)
  async live(
    @Query({ schema: LivePingsQuery }) { after, epoch, ...filter }: LivePingsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @OwnerOfStream() owner: StreamOwner | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const position = positionOf(lastEventId) ?? after;
    this.reading.refuseWhenFull();
    this.shares.take(owner, reply.raw);
    const end = await this.reading.end({ after: position, epoch });
    const sink = openEventStream(request, reply);
    if (sink) this.reading.live({ sink, filter, after: position, end, owner });
  }
}

/** Browsers send an empty header before the first event. */
function positionOf(lastEventId: string | undefined): number | undefined {
  if (!lastEventId) return undefined;
  const { data, error } = LastEventId.safeParse(lastEventId);
  if (error) throw HttpError.with(40001, `Last-Event-ID: ${describeIssues(error.issues)}`);
  return data;
}
