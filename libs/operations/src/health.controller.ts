import { Controller, Get, HttpCode, Inject, type BeforeApplicationShutdown, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Pool } from 'pg';
import { z } from 'zod';
import { EncryptionKeyCheck } from '#platform-auth/encryption-key-check';
import { IS_READ_ONLY, mendOf, READ_ONLY } from '#database/refused-database';

const Health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    database: z.enum(['ok', 'unavailable']),
    reason: z.string().optional().describe('why it cannot serve; left out where it can'),
  })
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

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Inject(EncryptionKeyCheck) private readonly keyCheck: EncryptionKeyCheck,
  ) {}

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
    const fault = await this.databaseFault();
    const database = fault === undefined ? 'ok' : 'unavailable';
    const reason = fault ?? this.reasonOfItsOwn();
    reply.code(reason === undefined ? 200 : 503);
    return { status: reason === undefined ? 'ok' : 'unavailable', database, ...(reason !== undefined && { reason }) };
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  private reasonOfItsOwn(): string | undefined {
    if (this.stopping) return 'the process is stopping';
    return this.keyCheck.isDone ? undefined : 'the encryption key has yet to be checked';
  }

  /** Undefined when the database can be read and written. */
  private async databaseFault(): Promise<string | undefined> {
    const answer = this.pool.query<{ read_only: boolean }>(IS_READ_ONLY).then(
      ({ rows }) => (rows[0]?.read_only ? READ_ONLY : undefined),
      (fault: unknown) => mendOf(fault) ?? 'the database does not answer',
    );
    const late = new Promise<string>((resolve) => {
      setTimeout(resolve, DATABASE_WITHIN_MS, `the database has not answered within ${DATABASE_WITHIN_MS} ms`).unref();
    });
    return await Promise.race([answer, late]);
  }
}
