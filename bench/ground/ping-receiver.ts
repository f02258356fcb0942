import type { ReceiverOrder, Seen } from './ping-receiver.process.js';
import { SideProcess } from './side-process.js';

/** The platform's end of the pings: a bare HTTP server in a process of its own that answers each at once. */
export class PingReceiver {
  private constructor(
    private readonly process: SideProcess<ReceiverOrder, Seen>,
    /** For PLATFORM_URL. */
    readonly url: string,
  ) {}

  static async start(): Promise<PingReceiver> {
    const process = new SideProcess<ReceiverOrder, Seen>('ground/ping-receiver.process.js');
    const { port } = await process.run({ forget: true, orders: 0 });
    return new PingReceiver(process, `http://127.0.0.1:${port}`);
  }

  async forget(): Promise<void> {
    await this.process.run({ forget: true, orders: 0 });
  }

  /** Waits until so many orders were pinged since it last forgot. */
  async pinged(orders: number): Promise<Seen> {
    return await this.process.run({ forget: false, orders });
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }
}
