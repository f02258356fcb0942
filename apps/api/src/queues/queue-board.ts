import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { fastify, type FastifyInstance } from 'fastify';
import { Settings } from '#base/settings';
import { QUEUE_NAMES } from '#delivery-kit/job-queue';
import { QueueBackend } from '#delivery-kit/queue-backend';
import { errorLog } from '#platform/error-log';
import { vendoredFiles } from '#platform/vendored-files';
import { withTimeout } from '#base/with-timeout';

const ANSWER_WITHIN_MS = 5_000;

/** Where the board is, without the path of PUBLIC_URL. */
const BOARD_PATH = '/queues';

type Board = Readonly<{ server: FastifyInstance; close: () => Promise<void> }>;

/**
 * Bull Board, which shows the job queues. It has a server of its own that never listens, so its plugins and its error answers stay out of
 * ours. It is loaded and connected when somebody looks for the first time.
 */
@Injectable()
export class QueueBoard implements OnApplicationShutdown {
  private opened: Promise<Board> | undefined;

  constructor(
    private readonly backend: QueueBackend,
    @Inject(Settings) private readonly settings: Pick<Settings, 'PUBLIC_URL'>,
  ) {}

  /** The server that answers requests to the board. Throws if the queues cannot be reached; the next call tries again. */
  async server(): Promise<FastifyInstance> {
    const opening = (this.opened ??= this.open());
    try {
      return (await opening).server;
    } catch (error) {
      if (this.opened === opening) this.opened = undefined;
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const board = await this.opened?.catch(() => undefined);
    await board?.close();
  }

  private async open(): Promise<Board> {
    const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
      import('@bull-board/api'),
      import('@bull-board/api/bullMQAdapter'),
      import('@bull-board/fastify'),
    ]);
    const handles = QUEUE_NAMES.map((name) => this.backend.openQueue(name));
    const onError = errorLog('queue board');
    const closeQueues = async () => {
      for (const { bull, disconnect } of handles) {
        await withTimeout(bull.close(), ANSWER_WITHIN_MS, 'closing the queue board').catch(onError);
        disconnect();
      }
    };
    for (const { bull } of handles) bull.on('error', onError);
    try {
      const connected = Promise.all(handles.map(({ bull }) => bull.waitUntilReady()));
      await withTimeout(connected, ANSWER_WITHIN_MS, 'queue board');
      const adapter = new FastifyAdapter();
      adapter.setBasePath(`${new URL(this.settings.PUBLIC_URL).pathname.replace(/\/$/, '')}${BOARD_PATH}`);
      createBullBoard({
        // Sweeps add and remove jobs by what the tables say, so a change by hand would mean nothing.
        queues: handles.map(({ bull }) => new BullMQAdapter(bull as unknown as Queue, { readOnlyMode: true })),
        serverAdapter: adapter,
        options: {
          uiBasePath: vendoredFiles('bull-board'),
          uiConfig: { boardTitle: 'Willcall job queues', hideRedisDetails: true },
        },
      });
      const server = fastify();
      await server.register(adapter.registerPlugin(), { prefix: BOARD_PATH });
      await server.ready();
      const close = async () => {
        await server.close();
        await closeQueues();
      };
      return { server, close };
    } catch (error) {
      await closeQueues();
      throw error;
    }
  }
}
