import { expect, it } from 'vitest';
import { endpointState, type EndpointObservation } from './endpoint-state.js';

const HEALTHY: EndpointObservation = { term: 'active', breaker: 'closed', failing: false, waitedMs: 0 };

it.each<[string, Partial<EndpointObservation>]>([
  ['delivering', {}],
  ['delivering', { waitedMs: 60_000 }],
  ['behind', { waitedMs: 60_001 }],
  ['failing', { failing: true, waitedMs: 60_001 }],
  ['open', { breaker: 'open', failing: true }],
  ['open', { breaker: 'half_open' }],
  ['paused', { term: 'paused', breaker: 'open' }],
  ['disabled', { term: 'disabled', failing: true }],
])('is %s when %j', (state, seen) => {
  expect(endpointState({ ...HEALTHY, ...seen })).toBe(state);
});
