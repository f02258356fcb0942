import type { ReceiverRequest, Seen } from './ping-receiver.process.js';
import { SideProcess } from './side-process.js';

/** Receives pings as the platform: a bare HTTP server in its own process that answers at once, or `answersAfterMs` later. */
export class PingReceiver {
  private constructor(
    private readonly process: SideProcess<ReceiverRequest, Seen>,
    /** For PLATFORM_URL. */
    readonly url: string,
  ) {}

  static async start({ answersAfterMs = 0 } = {}): Promise<PingReceiver> {
    const process = new SideProcess<ReceiverRequest, Seen>('setup/ping-receiver.process.js');
    const { port } = await process.run({ forget: true, orders: 0, answersAfterMs });
    return new PingReceiver(process, `http://127.0.0.1:${port}`);
  }

  async forget(): Promise<void> {
    await this.process.run({ forget: true, orders: 0 });
  }

  /** Waits until so many orders have been pinged since the last `forget`. */
  async pinged(orders: number): Promise<Seen> {
    return await this.process.run({ forget: false, orders });
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }
}
