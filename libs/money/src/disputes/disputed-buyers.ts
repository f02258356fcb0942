import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Sealer, UnsealError } from '#base/sealing';
import type { PersonalData } from '#orders/purchase-drafts';

/** What the bank may see of the buyer, to know its cardholder. Null or empty after an erasure. */
export type DisputedBuyer = Readonly<{
  name: string | null;
  email: string | null;
  ip: string | null;
  /** Each on one line. */
  deliveryAddress: string;
  billingAddress: string;
}>;

type Fields = Readonly<Record<string, unknown>>;

const ADDRESS = ['address1', 'address2', 'city', 'state', 'zip', 'country'];

@Injectable()
export class DisputedBuyers {
  constructor(
    private readonly pool: Pool,
    private readonly sealer: Sealer,
  ) {}

  async of(orderId: string): Promise<DisputedBuyer> {
    const data = await this.personalOf(orderId);
    const user = fieldsOf(data?.user);
    const delivery = fieldsOf(data?.delivery);
    const billing = fieldsOf(data?.billing);
    const named = textsOf(billing, NAME).length > 0 ? billing : delivery;
    return {
      name: textsOf(named, NAME).join(' ') || null,
      email: textsOf(user, ['email'])[0] ?? textsOf(delivery, ['email'])[0] ?? null,
      ip: textsOf(user, ['ip_address'])[0] ?? null,
      deliveryAddress: textsOf(delivery, ADDRESS).join(', '),
      billingAddress: textsOf(billing, ADDRESS).join(', '),
    };
  }

  /** Data that does not open must not keep the evidence from being sent. */
  private async personalOf(orderId: string): Promise<PersonalData | undefined> {
    const { rows } = await this.pool.query<{ personal: Buffer | null; key: Buffer | null }>(
      'select o.personal, k.key from orders o join personal_data_keys k on k.order_id = o.id where o.id = $1',
      [orderId],
    );
    const { personal, key } = rows[0] ?? {};
    if (!personal || !key) return undefined;
    try {
      return this.sealer.openPersonal(orderId, key, personal) as PersonalData;
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  }
}

const NAME = ['first_name', 'last_name'];

const fieldsOf = (part: object | null | undefined): Fields => ({ ...part });

function textsOf(fields: Fields, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}
