import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer, UnsealError } from '#base/sealing';
import type { PersonalData } from '#orders/purchase-drafts';
import type { ComparedPurchase } from '#payments/provider-events';

type PostalAddress = NonNullable<ComparedPurchase['address']>;

/** What the bank may see of the buyer, to know its cardholder. All null after an erasure. */
export type DisputedBuyer = Readonly<{
  name: string | null;
  email: string | null;
  phone: string | null;
  ip: string | null;
  /** Who gets the tickets. */
  receiver: string | null;
  delivery: PostalAddress | null;
  billing: PostalAddress | null;
}>;

type Fields = Readonly<Record<string, unknown>>;
type Row = Readonly<{ id: string; personal: Buffer | null; key: Buffer | null }>;

@Injectable()
export class DisputedBuyers {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
  ) {}

  /** By order. */
  async of(orderIds: readonly string[]): Promise<ReadonlyMap<string, DisputedBuyer>> {
    const { rows } = await this.pool.query<Row>(
      'select o.id, o.personal, k.key from orders o left join personal_data_keys k on k.order_id = o.id where o.id = any($1)',
      [orderIds],
    );
    return new Map(rows.map((row) => [row.id, buyerIn(this.personalOf(row))]));
  }

  /** Data that does not open must not keep the evidence from being sent. */
  private personalOf({ id, personal, key }: Row): PersonalData | undefined {
    if (!personal || !key) return undefined;
    try {
      return this.sealer.openPersonal(id, key, personal) as PersonalData;
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  }
}

/** On one line. */
export function addressLine(address: PostalAddress | null): string | null {
  if (address === null) return null;
  const { address1, address2, city, state, zip, country } = address;
  return [address1, address2, city, state, zip, country].filter(Boolean).join(', ');
}

function buyerIn(data: PersonalData | undefined): DisputedBuyer {
  const [user, delivery, billing] = [fieldsOf(data?.user), fieldsOf(data?.delivery), fieldsOf(data?.billing)];
  const receiver = nameIn(delivery);
  return {
    name: nameIn(billing) ?? receiver,
    email: textIn(user, 'email') ?? textIn(delivery, 'email'),
    phone: textIn(user, 'phone') ?? textIn(delivery, 'phone'),
    ip: textIn(user, 'ip_address'),
    receiver,
    delivery: addressIn(delivery),
    billing: addressIn(billing),
  };
}

const fieldsOf = (part: object | null | undefined): Fields => ({ ...part });

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function nameIn(fields: Fields): string | null {
  return [textIn(fields, 'first_name'), textIn(fields, 'last_name')].filter(Boolean).join(' ') || null;
}

function addressIn(fields: Fields): PostalAddress | null {
  const part = (name: string) => textIn(fields, name);
  if (part('address1') === null) return null;
  return {
    address1: part('address1'),
    address2: part('address2'),
    city: part('city'),
    state: part('state'),
    zip: part('zip'),
    country: part('country'),
  };
}
