import { type Dispatcher, errors, Pool } from 'undici';

// Above this number the oldest pool is closed. Pools of removed receivers disappear this way.
const MOST_POOLS = 1_000;

type PostedRequest = Omit<Dispatcher.RequestOptions, 'origin' | 'method'>;

/** Each receiver has its own connections, so one that hangs does not delay others, even at the same address. */
export class ReceiverConnections {
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly options: Pick<Pool.Options, 'connections' | 'connect'>) {}

  async post(receiver: string, origin: string, request: PostedRequest): Promise<Dispatcher.ResponseData> {
    const key = `${receiver} ${origin}`;
    const pool = this.pools.get(key) ?? this.open(key, origin);
    try {
      return await pool.request({ ...request, method: 'POST' });
    } catch (error) {
      // If undici rejects a request as invalid, one connection of its pool stays blocked forever.
      if (error instanceof errors.InvalidArgumentError && this.pools.delete(key)) void pool.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  private open(key: string, origin: string): Pool {
    const [oldest] = this.pools;
    if (oldest && this.pools.size >= MOST_POOLS) {
      this.pools.delete(oldest[0]);
      void oldest[1].close();
    }
    // No pipelining: a slow response would use up the timeouts of the requests behind it.
    const pool = new Pool(origin, { ...this.options, pipelining: 1 });
    this.pools.set(key, pool);
    return pool;
  }
}
