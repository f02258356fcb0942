import { type BeforeApplicationShutdown, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#runtime/clock';
import { Randomness } from '#runtime/randomness';
import { Settings } from '#config/settings';
import { ClientRegistry } from '#platform-auth/clients';
import { errorLog } from '#delivery/queues/error-log';
import { JobWorker } from '#delivery/queues/job-worker';
import { QueueBackend } from '#delivery/queues/queue-backend';
import { Repeater } from '#runtime/repeater';
import { PurchaseReader } from '#pings/sandbox/purchase-reader';
import { ReadBack, type ReadJob } from '#pings/sandbox/read-back';
import { ReceivedPings } from '#pings/sandbox/received-pings';
import { ReadQueue, SandboxCoreModule } from '#wiring/sandbox-core.module';

const CONCURRENCY = 10;
const SWEEP_EVERY_MS = 5_000;

/** Reads purchases back for the built-in sandbox platform. */
@Injectable()
class SandboxWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly worker: JobWorker<ReadJob>;
  private readonly sweep: Repeater;

  constructor(
    private readonly settings: Settings,
    backend: QueueBackend,
    readBack: ReadBack,
  ) {
    this.worker = new JobWorker(backend, {
      name: 'sandbox-reads',
      process: (job) => readBack.process(job),
      concurrency: CONCURRENCY,
      report: errorLog('sandbox reads'),
    });
    this.sweep = new Repeater(() => readBack.sweep(), SWEEP_EVERY_MS, errorLog('sandbox sweep'));
  }

  onApplicationBootstrap(): void {
    this.worker.start();
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweep.stop(), this.worker.stop(this.settings.SHUTDOWN_GRACE_MS)]);
  }
}

const providers = [
  {
    provide: PurchaseReader,
    inject: [Settings, ClientRegistry, Clock],
    useFactory: (settings: Settings, clients: ClientRegistry, clock: Clock) =>
      new PurchaseReader(
        { checkoutUrl: `${settings.PUBLIC_URL}/checkout`, scheme: settings.CHECKOUT_SCHEME },
        clients,
        clock,
      ),
  },
  {
    provide: ReadBack,
    inject: [ReceivedPings, PurchaseReader, ReadQueue, Clock, Randomness],
    useFactory: (...parts: [ReceivedPings, PurchaseReader, ReadQueue, Clock, Randomness]) => new ReadBack(...parts),
  },
  SandboxWork,
];

/** The worker's half of the built-in sandbox platform; there only while PLATFORM_URL is unset. */
@Module({ imports: [SandboxCoreModule], providers })
export class SandboxWorkModule {}
