import type { Provider } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '#runtime/clock';
import { Ids } from '#runtime/ids';
import { Randomness } from '#runtime/randomness';
import { DatabaseEpoch } from '#database/epoch';
import { errorFields, Logger } from '#operations/logger';
import { LiveStream } from '#ping-stream/live-stream';
import { PingStreamReader } from '#ping-stream/ping-stream-reader';
import { StreamTokens } from '#ping-stream/stream-tokens';
import { Connections } from '#wiring/connections';
import { LazyCommitPool } from '#wiring/foundation.module';
import { StreamGuard } from './stream.guard.js';
import { StreamReading } from './stream-reading.js';

/** What reads the ping stream for integrations. */
export const streamProviders: Provider[] = [
  StreamGuard,
  StreamReading,
  {
    provide: StreamTokens,
    inject: [Pool, Clock, Ids, Randomness, DatabaseEpoch],
    useFactory: (pool: Pool, clock: Clock, ids: Ids, randomness: Randomness, epoch: DatabaseEpoch) => {
      const tokens = new StreamTokens(pool, clock, ids, randomness);
      epoch.onChange(() => tokens.forget());
      return tokens;
    },
  },
  {
    provide: PingStreamReader,
    inject: [LazyCommitPool, DatabaseEpoch],
    useFactory: (pool: Pool, epoch: DatabaseEpoch) => new PingStreamReader(pool, epoch),
  },
  {
    provide: LiveStream,
    inject: [PingStreamReader, StreamTokens, Connections, DatabaseEpoch, Logger],
    useFactory: (
      ...[reader, tokens, connections, epoch, logger]: [
        PingStreamReader,
        StreamTokens,
        Connections,
        DatabaseEpoch,
        Logger,
      ]
    ) => {
      const stream = new LiveStream({
        reader,
        connection: connections.config('willcall stream listener'),
        isAdmitted: (token) => tokens.isLive(token),
        onError: (fault) => logger.warn(errorFields(fault), 'the live stream stumbled'),
      });
      epoch.onChange(() => stream.forget());
      return stream;
    },
  },
];
