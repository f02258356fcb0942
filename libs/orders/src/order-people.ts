import { Injectable } from '@nestjs/common';
import type { Caller } from '#accounts/caller';
import { Operators } from '#accounts/operators';
import { sellersSeen } from '#accounts/permission.contract';
import { SellerLookup } from '#accounts/seller-scope';
import { seesOrder } from '#domain/order-access';
import { HttpError } from '#web/http-error';
import type { NoteVisibility } from './order-notes.js';
import type { OrderPeople } from './presence.contract.js';

type Mentioned = Readonly<{ orderId: string; ids: readonly string[]; visibility: NoteVisibility }>;

/** The operators who may see an order, as far as somebody is told of them. */
@Injectable()
export class PeopleOfOrders {
  constructor(
    private readonly operators: Operators,
    private readonly lookup: SellerLookup,
  ) {}

  /** By name. Brokers are told only of the brokers of the seller. Empty if there is no such order. */
  async of(orderId: string, { sellers }: Caller): Promise<OrderPeople['people']> {
    const order = await this.lookup.ofOrder(orderId);
    if (!order) return [];
    return (await this.operators.list()).flatMap((operator) => {
      const seen = sellersSeen(operator);
      const isKnown = operator.state === 'active' && seesOrder(seen, order) && !(sellers !== null && seen === null);
      return isKnown ? [{ operator_id: operator.id, name: operator.name, is_broker: seen !== null }] : [];
    });
  }

  /** @throws HttpError 40001 that names the first one who may not read the note */
  async checkMentions({ orderId, ids, visibility }: Mentioned, caller: Caller): Promise<void> {
    if (ids.length === 0) return;
    const people = new Map((await this.of(orderId, caller)).map((person) => [person.operator_id, person]));
    for (const [index, id] of ids.entries()) {
      const person = people.get(id);
      const why = person ? 'reads no internal notes' : 'must be an active operator who may see the order';
      if (!person || (person.is_broker && visibility === 'internal'))
        throw HttpError.with(40001, `mentions[${index}]: ${why}`);
    }
  }
}
