import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ForStaff } from '../people/permission.guard.js';
import { QueueBoard } from './queue-board.js';

// Its page has a style element and style attributes. Its scripts are files. Fonts of other sites are not loaded.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'none'";

/** Shows the job queues in Bull Board. It is read-only: all its routes are GET. */
@ApiExcludeController()
@Controller('queues')
@ForStaff(['delivery:act'])
export class QueueBoardController {
  constructor(private readonly board: QueueBoard) {}

  @Get(['', '*'])
  async show(@Req() { raw }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const server = await this.board.server();
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    reply.raw.setHeader('referrer-policy', 'no-referrer');
    server.routing(raw, reply.raw);
  }
}
