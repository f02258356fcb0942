import type { Marketplace } from './marketplace.js';
import type { Bought, PacedRequest } from './paced-buyer.process.js';
import type { Service } from './service.js';
import { SideProcess } from './side-process.js';

let runs = 0;

/** Buys wholesale at a steady rate, in its own process. */
export class PacedBuyer {
  private readonly process = new SideProcess<PacedRequest, readonly Bought[]>('setup/paced-buyer.process.js');

  constructor(
    private readonly marketplace: Marketplace,
    private readonly api: Service,
  ) {}

  /** Fails if any purchase is not accepted. */
  async buy({ count, perSecond }: Readonly<{ count: number; perSecond: number }>): Promise<readonly Bought[]> {
    runs += 1;
    const { clients, listingIds } = this.marketplace;
    const run = `paced-${Date.now()}-${runs}`;
    const plan = { kind: 'wholesale', signer: clients.wholesale, count, run, listingIds } as const;
    return await this.process.run({ port: this.api.port, plan, perSecond });
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }
}
