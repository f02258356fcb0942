import { Controller, Get, Header, Headers, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeIssues } from '#contracts/issues';
import { LastEventId, LivePingsQuery, PingStreamPage, PingStreamQuery } from '#contracts/stream/ping-stream';
import { ApiErrors } from '../http/api-errors.js';
import { Refused } from '../http/refused.js';
import { openEventStream } from './event-stream.js';
import { StreamGuard, TokenOfStream } from './stream.guard.js';
import { StreamReading } from './stream-reading.js';

@ApiTags('ping stream')
@ApiBearerAuth('stream')
@Controller('stream/v1/pings')
@UseGuards(StreamGuard)
export class PingStreamController {
  constructor(private readonly reading: StreamReading) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({
    operationId: 'readPingStream',
    summary: 'Every notification that was due, oldest first, from a position on; kept for ever',
  })
  @ApiOkResponse({ standardSchema: PingStreamPage })
  @ApiErrors(40001, 40100, 50300)
  async page(
    @Query({ schema: PingStreamQuery }) { wait, after, limit, ...filter }: PingStreamQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return await this.reading.page({ after, limit, filter }, wait * 1_000, reply.raw);
  }

  @Get('live')
  @ApiOperation({
    operationId: 'followPingStream',
    summary: 'The same as server-sent events, as they come; each has its position as its id',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'the position to go on after' })
  @ApiOkResponse({
    description:
      'Events without a type, with an entry each as data. Without a position to go on after: what comes from now on.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiErrors(40001, 40100, 50300)
  live(
    @Query({ schema: LivePingsQuery }) { after, ...filter }: LivePingsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @TokenOfStream() owner: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const position = positionOf(lastEventId) ?? after;
    this.reading.refuseWhenFull();
    const sink = openEventStream(request, reply);
    if (sink) this.reading.live({ sink, filter, after: position, owner });
  }
}

/** Browsers send the header empty before the first event. */
function positionOf(lastEventId: string | undefined): number | undefined {
  if (!lastEventId) return undefined;
  const { data, error } = LastEventId.safeParse(lastEventId);
  if (error) throw Refused.with(40001, `Last-Event-ID: ${describeIssues(error.issues)}`);
  return data;
}
