import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { ClientRegistry } from '#accounts/clients';
import { Clock } from '#base/clock';
import { Settings } from '#base/settings';
import { type Answer, statusLine, type TimeoutError } from '#client/checkout-calls';
import { CheckoutListing } from '#listings/checkout-listing.contract';
import { IS_SAMPLE_LISTING } from '#listings/sample-ids';
import { sampleListings } from '#listings/sample-listings.data';
import { codesIn, platformCalls, type PlatformSettings } from './platform-calls.js';
import { billOf, paymentBody, type Selection, UnbuyableListing, wholesaleBody } from './purchase-request.js';
import { ReadPurchase } from './received-ping.contract.js';

type BuyerSettings = PlatformSettings & Pick<Settings, 'CHECKOUT_CLIENT_ID' | 'PAYMENT_PROVIDER'>;

const PLACE = { country: 'US', state: 'MA', city: 'Boston', zip: '02108' };
// The sandbox's provider takes it. Others are never asked.
const TEST_CARD = { card: '4111111111111111', cvv: '123' };

/** Buys as the platform does: it looks a listing up, and signs a purchase, over HTTP. */
@Injectable()
export class TestPurchases {
  constructor(
    private readonly pool: Pool,
    @Inject(Settings) private readonly settings: BuyerSettings,
    @Inject(ClientRegistry) private readonly clients: Pick<ClientRegistry, 'find'>,
    private readonly clock: Clock,
  ) {}

  /** As few tickets as somebody may buy, of a listing of your own if one is on sale. Returns the id of the order. @throws UnbuyableListing */
  async buy(transactionId: string): Promise<string> {
    const client = await this.client();
    const { id: listingId, event_id: eventId } = await this.listing();
    const secret = client.secrets[0];
    if (!secret) throw new UnbuyableListing('The client of the platform has no live secret.');
    const { clientId, variant } = client;
    if (variant === 'payment' && this.settings.PAYMENT_PROVIDER !== 'sandbox') {
      throw new UnbuyableListing('The test card is only for PAYMENT_PROVIDER=sandbox.');
    }
    const calls = platformCalls(this.settings, this.clock, { clientId, secret });
    const { splits } = listingIn(await calls.lookup(listingId, { event_id: eventId }, { transactionId }));
    const quantity = Math.min(...splits);
    const { country, state } = PLACE;
    const query = { event_id: eventId, quantity, country, state };
    const listing = listingIn(await calls.lookup(listingId, query, { transactionId }));
    const choice = { listingId, eventId, quantity, refId: `test-${transactionId}` };
    const body = this.bodyFor(variant, choice, listing);
    return ReadPurchase.parse(accepted(await calls.buy(body, { transactionId })).body).id;
  }

  private bodyFor(variant: 'payment' | 'wholesale', choice: Selection, listing: CheckoutListing): object {
    const delivery = listing.delivery_methods[0]?.type;
    if (!delivery) throw new UnbuyableListing('The listing is not delivered at all.');
    const { total } = billOf(listing, choice.quantity, delivery);
    if (variant === 'wholesale') return wholesaleBody(choice, total);
    const method = { ...TEST_CARD, year: new Date(this.clock.now()).getUTCFullYear() + 2 };
    return paymentBody(choice, { total, method, delivery, place: PLACE });
  }

  /** That of the settings, or else the oldest. */
  private async client() {
    const { CHECKOUT_CLIENT_ID: named = '' } = this.settings;
    const { rows } = await this.pool.query<{ client_id: string }>(CLIENT, [named]);
    const client = rows[0] && (await this.clients.find(rows[0].client_id));
    if (!client) throw new UnbuyableListing('There is no client that could buy. Add one at Settings, Clients.');
    return client;
  }

  private async listing(): Promise<Readonly<{ id: string; event_id: string }>> {
    const named = sampleListings.map(([id]) => id);
    const { rows } = await this.pool.query<{ id: string; event_id: string }>(LISTING, [named]);
    if (!rows[0]) throw new UnbuyableListing('No listing is on sale.');
    return rows[0];
  }
}

const CLIENT = `
  select client_id from clients where revoked_at is null order by client_id <> $1, created_at, client_id limit 1`;

const LISTING = `
  select l.id, l.terms ->> 'eventId' as event_id from listings l where l.available > 0 and l.withdrawn_at is null
  order by l.id = any($1::text[]) or ${IS_SAMPLE_LISTING}, l.updated_at desc, l.id limit 1`;

/** @throws UnbuyableListing with the codes of the refusal */
function accepted(outcome: Answer | TimeoutError): Answer {
  if (!outcome.answered) throw new UnbuyableListing(`The checkout did not answer: ${outcome.error}`);
  if (outcome.status === 200 || outcome.status === 201) return outcome;
  throw new UnbuyableListing(`The checkout answered ${statusLine(outcome)}${codesIn(outcome)}.`);
}

const listingIn = (outcome: Answer | TimeoutError): CheckoutListing => CheckoutListing.parse(accepted(outcome).body);
