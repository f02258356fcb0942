import { Controller, Get, type BeforeApplicationShutdown, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { DatabaseProbe } from '#database/database-probe';
import { EncryptionKeyCheck } from './encryption-key-check.js';
import { Liveness } from './liveness.js';

const Health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    database: z.enum(['ok', 'unavailable']),
    read_only: z.boolean().optional().describe('true with READ_ONLY: only reads are served; else left out'),
    reason: z.string().optional().describe('why it cannot serve; left out where it can'),
  })
  .meta({ id: 'Health' });
type Health = z.infer<typeof Health>;

const Live = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    reason: z.string().optional().describe('what stands still in the process; left out while it works'),
  })
  .meta({ id: 'Live' });
type Live = z.infer<typeof Live>;

/** Liveness and readiness. Redis does not count: purchases work without it. */
@ApiTags('operations')
@Controller('health')
export class HealthController implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(
    private readonly probe: DatabaseProbe,
    private readonly liveness: Liveness,
    private readonly keyCheck: EncryptionKeyCheck,
  ) {}

  @Get('live')
  @ApiOperation({ operationId: 'getLiveness', summary: 'The process runs and can work; if not, restart it' })
  @ApiOkResponse({ standardSchema: Live })
  @ApiServiceUnavailableResponse({ standardSchema: Live })
  live(@Res({ passthrough: true }) reply: FastifyReply): Live {
    const { reason } = this.liveness;
    if (reason === undefined) return { status: 'ok' };
    reply.code(503);
    return { status: 'unavailable', reason };
  }

  @Get('ready')
  @ApiOperation({ operationId: 'getReadiness', summary: 'The process can serve' })
  @ApiOkResponse({ standardSchema: Health })
  @ApiServiceUnavailableResponse({ standardSchema: Health })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const error = await this.probe.check();
    const database = error === undefined ? 'ok' : 'unavailable';
    const reason = error ?? this.ownReason();
    reply.code(reason === undefined ? 200 : 503);
    return {
      status: reason === undefined ? 'ok' : 'unavailable',
      database,
      ...(this.probe.onlyReads && { read_only: true }),
      ...(reason !== undefined && { reason }),
    };
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  private ownReason(): string | undefined {
    if (this.stopping) return 'the process is stopping';
    return this.keyCheck.isDone ? undefined : 'the encryption key has yet to be checked';
  }
}
