import { describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { Sealer } from '#base/sealing';
import { SystemRandomness } from '#base/randomness';
import { BounceAddresses } from './bounce-addresses.js';

const ID = `mai_${'0190af3c'.repeat(4)}_12`;
const OTHER = `mai_${'0190af3d'.repeat(4)}_12`;
const settings = parseSettings({ MAIL_BOUNCES_ADDRESS: 'bounces+*@tickets.example' });
const random = new SystemRandomness();
const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const addresses = new BounceAddresses(settings, new Sealer(key, random));
const own = addresses.of(ID) ?? '';

describe('an envelope sender', () => {
  it('says which mail it is about, in any case and beside other addresses', () => {
    expect(own).toMatch(/^bounces\+[\w-]+@tickets\.example$/);
    expect(own.indexOf('@')).toBeLessThanOrEqual(64);
    expect(addresses.read(['tickets@front-row.example', own])).toEqual({ mailId: ID });
    expect(addresses.read([own.toUpperCase()])).toEqual({ mailId: ID });
  });

  it('cannot be made without the key', () => {
    const forged = [
      own.replace(ID.slice(4), OTHER.slice(4)),
      own.replace(/[0-9a-f]{16}@/, '0000000000000000@'),
      new BounceAddresses(settings, new Sealer(otherKey, random)).of(ID) ?? '',
    ];
    for (const address of forged) expect(addresses.read([address])).toBe('forged');
    expect(addresses.read([...forged, own])).toEqual({ mailId: ID });
  });

  it('is read after a change of the key', () => {
    expect(new BounceAddresses(settings, new Sealer(otherKey, random, [key])).read([own])).toEqual({ mailId: ID });
  });

  it('of another form, or without the setting, says nothing', () => {
    for (const address of ['bounces@tickets.example', 'bounces+x@tickets.example', own.replace('tickets', 'other')]) {
      expect(addresses.read([address])).toBeUndefined();
    }
    const off = new BounceAddresses(parseSettings({}), new Sealer(key, random));
    expect([off.of(ID), off.read([own])]).toEqual([undefined, undefined]);
  });
});
