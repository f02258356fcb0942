import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Metrics } from './metrics.js';

@ApiTags('operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({ operationId: 'getMetrics', summary: 'Counters and gauges in the text format of Prometheus' })
  @ApiOkResponse({
    description: 'requests, purchases, pings, feed, queues and connections',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  read(): Promise<string> {
    return this.metrics.text();
  }
}
