import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from '#platform/logger';
import { ApiErrors } from '#web/api-errors';
import { orNotFound } from '#web/http-error';
import { PassAccess } from './pass-access.js';
import { PassIssuer } from './pass-issuer.js';
import { PassSigner } from './pass-signer.js';
import { DeviceLog } from './pass.contract.js';
import { Passes } from './passes.js';

const PASS_TYPE = 'application/vnd.apple.pkpass';

const MOST_LINES = 5;
const LONGEST_LINE = 200;

/** Apple's web service for passes: the newest one, and what devices complain of. */
@ApiTags('passes')
@Controller('passes/v1')
export class PassesController {
  constructor(
    private readonly access: PassAccess,
    private readonly issuer: PassIssuer,
    private readonly passes: Passes,
    private readonly signer: PassSigner,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  @Get('passes/:pass_type/:serial')
  @ApiSecurity('pass')
  @ApiOperation({
    operationId: 'openPass',
    summary: 'A pass as it is now',
  })
  @ApiOkResponse({ content: { [PASS_TYPE]: { schema: { type: 'string', format: 'binary' } } } })
  @ApiResponse({ status: 304, description: 'it has not changed since If-Modified-Since' })
  @ApiErrors(40100, 40400, 42900)
  async open(
    @Param('pass_type') passType: string,
    @Param('serial') serial: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.access.admitOwner(passType, serial, request);
    const seat = this.issuer.seatOf(serial);
    const { content, modifiedAt } = orNotFound(seat && (await this.passes.newest(seat)), 'pass');
    void reply.headers({ 'last-modified': modifiedAt.toUTCString(), 'cache-control': 'private, no-cache' });
    const known = Date.parse(request.headers['if-modified-since'] ?? '');
    if (Math.floor(modifiedAt.getTime() / 1_000) * 1_000 <= known) return void reply.status(304).send();
    await reply.type(PASS_TYPE).send(await this.signer.sign(content));
  }

  @Post('log')
  @HttpCode(200)
  @ApiOperation({ operationId: 'logPassFaults', summary: 'What a device could not do; the beginning is logged' })
  @ApiOkResponse({ description: 'logged' })
  @ApiErrors(40000, 40001, 42900)
  log(@Body({ schema: DeviceLog }) { logs }: DeviceLog, @Req() request: FastifyRequest): void {
    this.access.admitAnyone(request);
    const lines = logs.slice(0, MOST_LINES).map((line) => plain(line).slice(0, LONGEST_LINE));
    this.logger.warn({ transaction_id: request.id, lines }, 'wallet on a device');
  }
}

/** Without control characters, and without what may be the id of a device or a token. */
const plain = (line: string) => line.replaceAll(/\p{Cc}/gu, ' ').replaceAll(/[\w-]{24,}/g, '…');
