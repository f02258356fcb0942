import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queueServers, type QueueServer } from '../../../../test/support/queue-backends.js';
import { until } from '../../../../test/support/until.js';
import { JobQueue } from '../job-queue.js';
import { JobWorker } from './job-worker.js';

type Job = Readonly<{ name: string }>;

describe.each(queueServers)('BullMQ on $name', ({ skip, start }) => {
  describe.skipIf(skip)('as we use it', () => {
    let server: QueueServer;
    let queue: JobQueue<Job>;
    let workers: JobWorker<Job>[];
    let done: string[];
    let errors: string[];
    const report = (error: unknown) => void errors.push((error as Error).message);
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server.stop());
    beforeEach(() => {
      [workers, done, errors] = [[], [], []];
      queue = new JobQueue('pings', server.backend, report);
    });
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.stop(5_000)));
      await queue.close();
    });

    function work(process: (job: Job) => Promise<void> = async () => undefined, concurrency = 5): JobWorker<Job> {
      const worker = new JobWorker<Job>(server.backend, {
        name: 'pings',
        process: async (job) => {
          await process(job);
          done.push(job.name);
        },
        concurrency,
        onError: report,
      });
      workers.push(worker);
      worker.start();
      return worker;
    }

    const add = (...names: string[]) => queue.add(names.map((name) => ({ id: `job-${name}`, data: { name } })));
    const empty = async () => (await queue.depth()).waiting + (await queue.depth()).active === 0;

    it('runs each job once, however often it was added while it waited', async () => {
      await add('a', 'b', 'a');
      await add('a');
      expect(await queue.depth()).toEqual({ waiting: 2, active: 0, delayed: 0 });
      work();
      await until(empty);
      expect(done.toSorted()).toEqual(['a', 'b']);
    });

    it('removes finished and failed jobs, so that their ids can be added again', async () => {
      work(async ({ name }) => {
        if (name === 'failing') throw new Error('it failed');
      });
      for (const round of [1, 2]) {
        await add('fine', 'failing');
        await until(async () => done.length === round && errors.length === round && (await empty()));
      }
      expect(errors).toEqual(['it failed', 'it failed']);
    });

    it('runs many jobs in parallel, and more than one batch of them', async () => {
      const names = Array.from({ length: 600 }, (_, index) => `${index}`);
      let [now, most] = [0, 0];
      work(async () => {
        most = Math.max(most, ++now);
        await until(() => most === 5);
        now -= 1;
      });
      await add(...names);
      await until(() => done.length === names.length);
      expect(most).toBe(5);
    });

    it('runs a delayed job when it is due', async () => {
      const from = performance.now();
      await queue.add([{ id: 'later', data: { name: 'later' }, delayMs: 300 }]);
      expect(await queue.depth()).toEqual({ waiting: 0, active: 0, delayed: 1 });
      work();
      await until(() => done.length === 1);
      expect(performance.now() - from).toBeGreaterThan(290);
    });

    it('finishes the running jobs when it is stopped, and leaves the others', async () => {
      let finish = () => undefined as void;
      const held = new Promise<void>((resolve) => (finish = resolve));
      const worker = work(() => held, 1);
      await add('in hand', 'waiting');
      await until(async () => (await queue.depth()).active === 1);
      const stopping = worker.stop(5_000);
      finish();
      await stopping;
      expect(done).toEqual(['in hand']);
      expect(await queue.depth()).toMatchObject({ waiting: 1, active: 0 });
      work();
      await until(empty);
    });

    it('says nothing of a stop at any moment of its start', async () => {
      for (let afterMs = 0; afterMs < 100; afterMs += 5) {
        const worker = work();
        await sleep(afterMs);
        await worker.stop(5_000);
      }
      expect(errors).toEqual([]);
    });

    it('fails soon to add a job while the server is down, and works again once it is back', async () => {
      work();
      await add('before');
      await until(() => done.length === 1);
      await server.kill();
      const from = performance.now();
      await expect(add('while away')).rejects.toThrow();
      expect(performance.now() - from).toBeLessThan(6_000);
      await server.restart();
      await until(async () => add('after').then(() => true));
      await until(() => done.includes('after'));
    });

    it('stops while the server goes down', async () => {
      for (const name of ['first breakdown', 'second breakdown', 'third breakdown']) {
        const worker = work();
        await until(() => add(name).then(() => true));
        await until(() => done.includes(name));
        await Promise.all([server.kill(), worker.stop(10_000)]);
        await server.restart();
      }
    });

    it('stops and starts while the server is down', async () => {
      const connected = work();
      await add('before the stop');
      await until(() => done.includes('before the stop'));
      await server.kill();
      const unconnected = work();
      const from = performance.now();
      await Promise.all([connected.stop(10_000), unconnected.stop(10_000)]);
      expect(performance.now() - from).toBeLessThan(5_000);
      const second = work();
      await server.restart();
      await until(async () => add('after the stop').then(() => true));
      await until(() => done.includes('after the stop'));
      await second.stop(5_000);
    });
  });
});
