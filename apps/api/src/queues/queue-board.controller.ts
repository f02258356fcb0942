import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '#base/settings';
import { scriptSources } from '#web/script-sources';
import { ForStaff } from '#accounts/permission.guard';
import { QueueBoard } from './queue-board.js';

// Its page has a style element and style attributes. Its scripts are files. Fonts of other sites are not loaded.
const contentSecurityPolicy = (scripts: string) =>
  `default-src 'none'; script-src ${scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; ` +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'none'";

/** Shows the job queues in Bull Board. It is read-only: all its routes are GET. */
@ApiExcludeController()
@Controller('queues')
@ForStaff(['delivery:act'])
export class QueueBoardController {
  constructor(
    private readonly board: QueueBoard,
    private readonly settings: Settings,
  ) {}

  @Get(['', '*'])
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { PUBLIC_URL } = this.settings;
    const folder = `${new URL(PUBLIC_URL).pathname.replace(/\/$/, '')}/queues/`;
    const server = await this.board.server();
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.setHeader('content-security-policy', contentSecurityPolicy(scriptSources(request, PUBLIC_URL, folder)));
    reply.raw.setHeader('referrer-policy', 'no-referrer');
    server.routing(request.raw, reply.raw);
  }
}
