import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Metrics } from './metrics.js';

@ApiTags('operations')
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  @ApiOperation({ summary: 'Counters and gauges in the text format of Prometheus' })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'requests, purchases, pings, feed, queues and connections' })
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
