import { Controller, Get, HttpCode, Inject, type BeforeApplicationShutdown, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Pool } from 'pg';
import { z } from 'zod';

const Health = z
  .object({ status: z.enum(['ok', 'unavailable']), database: z.enum(['ok', 'unavailable']) })
  .meta({ id: 'Health' });
type Health = z.infer<typeof Health>;

const Live = z.object({ status: z.literal('ok') }).meta({ id: 'Live' });

// A load balancer asks every few seconds: an answer that takes longer is as good as none.
const DATABASE_WITHIN_MS = 2_000;

/** Whether the process runs, and whether it can serve. Redis is left out: without it purchases are taken all the same. */
@ApiTags('operations')
@Controller('health')
export class HealthController implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get('live')
  @HttpCode(200)
  @ApiOperation({ operationId: 'getLiveness', summary: 'The process runs' })
  @ApiOkResponse({ standardSchema: Live })
  live(): z.infer<typeof Live> {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({ operationId: 'getReadiness', summary: 'The process can serve' })
  @ApiOkResponse({ standardSchema: Health })
  @ApiServiceUnavailableResponse({ standardSchema: Health })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const database = (await this.databaseAnswers()) ? 'ok' : 'unavailable';
    const status = database === 'ok' && !this.stopping ? 'ok' : 'unavailable';
    reply.code(status === 'ok' ? 200 : 503);
    return { status, database };
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  private async databaseAnswers(): Promise<boolean> {
    const answer = this.pool.query('select 1').then(
      () => true,
      () => false,
    );
    const late = new Promise<boolean>((resolve) => {
      setTimeout(resolve, DATABASE_WITHIN_MS, false).unref();
    });
    return Promise.race([answer, late]);
  }
}
