import { Body, Controller, Get, Header, Param, Post } from '@nestjs/common';
import { Pool } from 'pg';
import { PurchaseRows, type SubmittedBody } from './purchase-rows.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The limit for each request: Nest on Fastify with one prepared statement, and nothing else that Willcall does. */
@Controller()
export class BareController {
  constructor(
    private readonly pool: Pool,
    private readonly purchases: PurchaseRows,
  ) {}

  @Get('ready')
  ready(): string {
    return 'ready';
  }

  @Post('checkout/v1/purchases')
  @Header('content-type', JSON_TYPE)
  async submit(@Body() body: SubmittedBody): Promise<string> {
    return await this.purchases.write(body);
  }

  @Get('checkout/v1/purchases/:id')
  @Header('content-type', JSON_TYPE)
  async purchase(@Param('id') id: string): Promise<string> {
    const { rows } = await this.pool.query<{ document: string }>({
      name: 'purchase',
      text: 'select purchase::text as document from orders where id = $1',
      values: [id],
    });
    return rows[0]?.document ?? '';
  }

  @Get('checkout/v1/listings/:id')
  @Header('content-type', JSON_TYPE)
  async listing(@Param('id') id: string): Promise<string> {
    const { rows } = await this.pool.query<{ document: string }>({
      name: 'listing',
      text: 'select terms::text as document from listings where id = $1',
      values: [id],
    });
    return rows[0]?.document ?? '';
  }

  @Get('2/events/:id')
  @Header('content-type', JSON_TYPE)
  async event(@Param('id') id: string): Promise<string> {
    const { rows } = await this.pool.query<{ document: string }>({
      name: 'event',
      text: 'select document::text as document from discovery_events where id = $1',
      values: [id],
    });
    return rows[0]?.document ?? '';
  }
}
