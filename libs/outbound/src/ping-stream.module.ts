import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Connections } from '#database/connections';
import { DatabaseEpoch } from '#database/epoch';
import { errorFields, Logger } from '#platform/logger';
import { Metrics } from '#platform/metrics';
import { LiveStream } from './stream/live-stream.js';
import { PingStreamReader } from './stream/ping-stream-reader.js';
import { StreamBacklog } from './stream/stream-backlog.js';
import { StreamTokens } from './stream-tokens.js';

@Injectable()
class StreamGauge implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly backlog: StreamBacklog,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'willcall_stream_backlog_seconds',
      'Age of the oldest event of the feed that the ping stream has not seen yet',
      undefined,
      async () => ({ value: (await this.backlog.oldestMs()) / 1_000 }),
    );
  }
}

const liveStream = {
  provide: LiveStream,
  inject: [PingStreamReader, Connections, Logger],
  useFactory: (reader: PingStreamReader, connections: Connections, logger: Logger) =>
    new LiveStream({
      reader,
      connection: connections.config('willcall stream listener'),
      onError: (error) => logger.warn(errorFields(error), 'the live stream failed'),
    }),
};

@Module({
  providers: [StreamTokens, PingStreamReader, liveStream, StreamBacklog, StreamGauge],
  exports: [StreamTokens, PingStreamReader, LiveStream],
})
export class PingStreamModule {
  constructor(epoch: DatabaseEpoch, tokens: StreamTokens, stream: LiveStream) {
    epoch.onChange(() => {
      tokens.forget();
      stream.forget();
    });
  }
}
