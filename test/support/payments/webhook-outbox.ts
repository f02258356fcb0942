import type { WebhookTiming } from './provider-double.js';

/** What the provider sends: its own headers and the signed bytes. */
export type SignedWebhook = Readonly<{ headers: Readonly<Record<string, string>>; body: string }>;

/** The webhooks of a double: each is sent once, unless a test asks for more or for nothing. */
export class WebhookOutbox<Event> {
  #address: string | undefined;
  #timing: WebhookTiming = 'never';
  readonly #held: Event[] = [];

  constructor(private readonly sign: (event: Event) => SignedWebhook) {}

  sendTo(address: string, timing: WebhookTiming): void {
    this.#address = address;
    this.#timing = timing;
  }

  /** Resolves when a webhook that must come before the answer has come. */
  async add(events: readonly Event[]): Promise<void> {
    if (this.#timing === 'never') return;
    this.#held.push(...events);
    if (this.#timing === 'held') return;
    // A receiver that is down learns of it by the provider's list.
    const delivered = this.deliver().catch(() => undefined);
    if (this.#timing === 'first') await delivered;
  }

  async deliver({ twice = false, reversed = false } = {}): Promise<readonly number[]> {
    const events = this.#held.splice(0);
    const order = reversed ? events.toReversed() : events;
    const statuses: number[] = [];
    for (const event of twice ? order.flatMap((each) => [each, each]) : order) statuses.push(await this.#send(event));
    return statuses;
  }

  async #send(event: Event): Promise<number> {
    if (this.#address === undefined) throw new Error('The double does not know where webhooks go to.');
    const { headers, body } = this.sign(event);
    const { status } = await fetch(this.#address, { method: 'POST', headers, body });
    return status;
  }
}
