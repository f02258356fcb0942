import { Worker } from 'bullmq';
import { type JobHandler, QueueBackend } from '#delivery-kit/queue-backend';
import { withChanged } from '../../with-changed.js';
import type { Life } from './life.js';

/** The queues of a life. There is a seam before a job, and one before the queue hears that it is done. */
export class MortalQueues extends QueueBackend {
  constructor(
    private readonly queues: QueueBackend,
    private readonly life: Life,
  ) {
    super();
  }

  openQueue(name: string) {
    const opened = this.queues.openQueue(name);
    this.life.atEnd(
      () =>
        void opened.bull
          .close()
          .catch(() => undefined)
          .then(opened.disconnect),
    );
    return opened;
  }

  /** A killed worker renews the locks of its jobs no more, so another one gets them. */
  openWorker(name: string, process: JobHandler<object>, concurrency: number) {
    const mortal: JobHandler<object> = async (data) => {
      await this.life.cross(`before a job of ${name}`);
      await process(data);
      await this.life.cross(`after a job of ${name}`);
    };
    const { bull, disconnect } = this.queues.openWorker(name, mortal, concurrency);
    this.life.atEnd(() => {
      if (bull instanceof Worker)
        void bull
          .close(true)
          .catch(() => undefined)
          .then(disconnect);
    });
    // Otherwise the dead program would see it end, and open another one.
    const run = () => bull.run().then(() => this.life.breathe());
    return { bull: withChanged(bull, { run }), disconnect };
  }
}
