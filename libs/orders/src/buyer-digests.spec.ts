import { describe, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { SeededRandomness } from '#base/seeded-randomness';
import { askedDigests, buyerDigests } from './buyer-digests.js';
import { type BuyerField, lettersAndDigits } from './buyer-folding.js';

const random = new SeededRandomness(1);
const earlierKey = Buffer.alloc(32, 1);
const sealer = new Sealer(earlierKey, random);
const stored = (field: BuyerField, person: object, by = sealer) =>
  buyerDigests(by, { user: person, delivery: {}, billing: null })[field]!;

describe('digests of buyers', () => {
  it('of plain texts are those of earlier versions, so that nothing is counted anew', () => {
    expect(stored('email', { email: 'Ada.King@Example.com' })).toEqual(
      sealer.digest('buyer-email', 'adakingexamplecom'),
    );
    expect(stored('last_name', { last_name: "O'Brien" })).toEqual(sealer.digest('buyer-last-name', 'obrien'));
  });

  it.each([
    ['email', 'josé@example.com'],
    ['last_name', 'Müller'],
    ['phone', '+1 (212) 555-0100'],
  ] as const)('of %s find what earlier versions have stored', (field, value) => {
    const purposes = { email: 'buyer-email', last_name: 'buyer-last-name', phone: 'buyer-phone' } as const;
    const asked = askedDigests(sealer, field, value);
    expect(asked).toContainEqual(sealer.digest(purposes[field], lettersAndDigits(value)));
    expect(asked).toContainEqual(stored(field, { [field]: value }));
  });

  it('find an e-mail address as the first versions stored it', () => {
    expect(askedDigests(sealer, 'email', ' Ada@Example.com ')).toContainEqual(sealer.emailDigest('ada@example.com'));
  });

  it('find buyers by both keys while ENCRYPTION_KEY changes', () => {
    const changing = new Sealer(Buffer.alloc(32, 2), random, [earlierKey]);
    for (const by of [sealer, changing]) {
      const asked = askedDigests(changing, 'full_name', 'Lovelace, Ada');
      expect(asked).toContainEqual(stored('full_name', { first_name: 'Ada', last_name: 'Lovelace' }, by));
    }
  });

  it('are those of all people of an order, each once', () => {
    const ada = { first_name: 'Ada', last_name: 'Lovelace', phone: '+1 212 555 0100' };
    const payer = { first_name: 'Charles', last_name: 'Lovelace', phone: '12125550100' };
    const digests = buyerDigests(sealer, { user: ada, delivery: { ...ada, phone: '(212) 555-0100' }, billing: payer });
    expect(digests.phone).toEqual(stored('phone', ada));
    // The payer's first and full name, and the other reading of a number without `+`.
    expect(digests.others).toHaveLength(3);
    expect(digests.email).toBeNull();
  });

  it('of a text without letters and digits are none', () => {
    expect(askedDigests(sealer, 'last_name', '-')).toEqual([]);
    expect(buyerDigests(sealer, { user: { phone: 'none', last_name: '' }, delivery: {}, billing: null })).toMatchObject(
      {
        phone: null,
        last_name: null,
      },
    );
  });
});
