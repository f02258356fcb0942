import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TurnQueue } from '#base/turn-queue';

// A purchase that arrives meanwhile must not find a turn of the event loop full of other requests.
const SELLING_MS = 1_000;

/** These must answer at once: the platform's requests, and the probes that decide whether the process lives. */
const AT_ONCE = ['/checkout/', '/health/'];
const OF_STAFF = ['/backoffice/', '/stream/'];

/** Whether the platform buys: it has a request in hand, or had one a moment ago. */
class CheckoutUse {
  #last = -Infinity;
  #inHand = 0;

  begin({ raw }: FastifyReply): void {
    this.#inHand += 1;
    this.#last = performance.now();
    raw.on('close', () => (this.#inHand -= 1));
  }

  get isSelling(): boolean {
    return this.#inHand > 0 || performance.now() - this.#last < SELLING_MS;
  }
}

/** Of all requests of this process. */
export const checkoutUse = new CheckoutUse();

/**
 * Checkout comes first. While it is used, at most one public request and one of staff and integrations begin in each turn of the
 * event loop, so many of them delay a purchase no more than a few do. Otherwise all begin at once.
 */
export function putCheckoutFirst(fastify: FastifyInstance): void {
  const staff = new TurnQueue();
  const others = new TurnQueue();

  fastify.addHook('onRequest', (request, reply, done) => {
    const path = targetOf(request);
    if (path.startsWith('/checkout/')) checkoutUse.begin(reply);
    if (AT_ONCE.some((start) => path.startsWith(start))) return done();
    const queue = OF_STAFF.some((start) => path.startsWith(start)) ? staff : others;
    if (!checkoutUse.isSelling && queue.length === 0) return done();
    queue.add(() => {
      // Nobody reads the answer.
      if (!request.raw.socket.destroyed) done();
    });
  });
}

function targetOf({ raw }: FastifyRequest): string {
  return raw.url ?? '';
}
