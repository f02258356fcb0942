import { describe, expect, it } from 'vitest';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { sampleListingsOn } from './sample-listings.js';

const today = '2026-11-21T13:45:00.000Z';
const samples = sampleListingsOn(new FixedClock(today));
const bodies = samples.map(({ body }) => body);

describe('the sample listings', () => {
  it('are about twenty, each with its own id', () => {
    expect(samples.length).toBeGreaterThanOrEqual(20);
    expect(new Set(samples.map(({ id }) => id)).size).toBe(samples.length);
  });

  it.each(['demo-payment-1', 'demo-wholesale-1'])('hold %s, which the printed commands buy', (id) => {
    const body = samples.find((sample) => sample.id === id)?.body;
    expect(body).toMatchObject({ quantity: 40, split_rule: 'any', confirmation: 'automatic' });
    expect(body?.delivery_methods.map(({ type }) => type)).toEqual(['download', 'ship']);
  });

  it('include one that staff confirm', () => {
    const body = samples.find(({ id }) => id === 'demo-manual-1')?.body;
    expect(body).toMatchObject({ confirmation: 'manual', confirm_within_minutes: 30 });
  });

  it('include every split rule, every delivery type and taxes by state', () => {
    const rules = bodies.map(({ split_rule: rule }) => (typeof rule === 'string' ? rule : 'list'));
    expect(new Set(rules)).toEqual(new Set(['any', 'pairs', 'no_single_left', 'all_together', 'list']));
    const deliveries = bodies.flatMap(({ delivery_methods: methods }) => methods.map(({ type }) => type));
    expect(new Set(deliveries)).toEqual(new Set(['ship', 'download', 'transfer', 'will_call']));
    expect(bodies.some(({ tax_rates: rates }) => 'US-NY' in rates)).toBe(true);
  });

  it('are for future events, and stay the same all day', () => {
    for (const { market_specific_fields: fields } of bodies) {
      expect(Date.parse(String(fields?.['starts_at']))).toBeGreaterThan(Date.parse('2026-11-22T00:00:00Z'));
    }
    expect(sampleListingsOn(new FixedClock('2026-11-21T23:59:59.000Z'))).toEqual(samples);
    expect(sampleListingsOn(new FixedClock('2026-11-22T00:00:00.000Z'))).not.toEqual(samples);
  });
});
