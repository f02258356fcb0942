import type { Provider } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#ambient/clock';
import { Ids } from '#ambient/ids';
import { Randomness } from '#ambient/randomness';
import { Settings } from '#config/settings';
import { connectionConfig } from '#database/pool';
import { faultFields, Logger } from '#operations/logger';
import { LiveStream } from '#ping-stream/live-stream';
import { PingStreamReader } from '#ping-stream/ping-stream-reader';
import { StreamTokens } from '#ping-stream/stream-tokens';
import { LazyCommitPool } from '#wiring/foundation.module';
import { StreamGuard } from './stream.guard.js';
import { StreamReading } from './stream-reading.js';

/** What reads the ping stream for integrations. */
export const streamProviders: Provider[] = [
  StreamGuard,
  StreamReading,
  {
    provide: StreamTokens,
    inject: [Pool, Clock, Ids, Randomness],
    useFactory: (pool: Pool, clock: Clock, ids: Ids, randomness: Randomness) =>
      new StreamTokens(pool, clock, ids, randomness),
  },
  {
    provide: PingStreamReader,
    inject: [LazyCommitPool],
    useFactory: (pool: Pool) => new PingStreamReader(pool),
  },
  {
    provide: LiveStream,
    inject: [PingStreamReader, StreamTokens, Settings, Logger],
    useFactory: (reader: PingStreamReader, tokens: StreamTokens, settings: Settings, logger: Logger) =>
      new LiveStream({
        reader,
        connection: connectionConfig({
          databaseUrl: settings.DATABASE_URL ?? '',
          applicationName: 'willcall stream listener',
        }),
        isAdmitted: (token) => tokens.isLive(token),
        onError: (fault) => logger.warn(faultFields(fault), 'the live stream stumbled'),
      }),
  },
];
