import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseStatusCatalogue } from './status-catalogue-file.contract.js';

const file = () =>
  JSON.parse(readFileSync(new URL('../../domain/src/status-catalogue.json', import.meta.url), 'utf8')) as {
    version: unknown;
    statuses: Record<string, unknown>[];
    transitions: Record<string, unknown>;
    roles: Record<string, unknown>;
  };

/** Changes the built-in file and returns the error message. */
function issuesOf(change: (catalogue: ReturnType<typeof file>) => void): string[] {
  const changed = file();
  change(changed);
  try {
    parseStatusCatalogue(changed);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n- ').slice(1);
  }
}

describe('the built-in status catalogue', () => {
  it('has the codes and messages of the contract', () => {
    const catalogue = parseStatusCatalogue(file());
    expect(catalogue.entry(2002)?.status).toEqual({
      status: 'confirmed',
      status_message: 'Tickets shipped (hard tickets)',
      status_code: 2002,
    });
    // This is the order of the keys in events and answers.
    expect(Object.keys(catalogue.entry(2002)?.status ?? {})).toEqual(['status', 'status_message', 'status_code']);
    const contract = [
      1001, 1002, 2000, 2001, 2002, 2003, 2004, 2005, 3001, 3002, 3003, 3004, 3005, 3006, 3007, 3008, 3009, 3010,
    ];
    const exceptions = [4001, 4002, 4003, 4004, 4005, 4006, 4007];
    expect(file().statuses.map(({ status_code: code }) => code)).toEqual([...contract, ...exceptions]);
  });

  it('allows what the contract allows', () => {
    const { allows } = parseStatusCatalogue(file());
    expect(allows('pending', 'pending')).toBe(true);
    expect(allows('confirmed', 'pending')).toBe(false);
    expect(allows('exception', 'confirmed')).toBe(true);
    expect(allows('rejected', 'rejected')).toBe(false);
  });
});

describe('a custom catalogue', () => {
  it.each<[string, (catalogue: ReturnType<typeof file>) => void, string]>([
    ['no version', (c) => (c.version = 'one'), 'version must be an integer'],
    ['no list', (c) => (c.statuses = 3 as never), 'statuses must be an array'],
    [
      'a code twice',
      (c) => c.statuses.push({ ...c.statuses[3], status_message: 'x' }),
      'status 2001: the code is there twice',
    ],
    [
      'a pair twice',
      (c) => c.statuses.push({ ...c.statuses[3], status_code: 2099 }),
      'status 2099: another code has the same status and message',
    ],
    [
      'a code that no database keeps',
      (c) => c.statuses.push({ status_code: 2 ** 31, status: 'pending', status_message: 'x' }),
      'status 2147483648: status_code must be an integer from 0 to 2147483647',
    ],
    [
      'a fifth status',
      (c) => c.statuses.push({ status_code: 5, status: 'lost', status_message: 'x' }),
      'status 5: status must be one of pending, confirmed, rejected, exception',
    ],
    [
      'an event of another status',
      (c) => c.statuses.push({ status_code: 5, status: 'pending', status_message: 'x', event: 'TicketsShipped' }),
      'status 5: event must be one of OrderPending, OrderHeldForReview',
    ],
    ['an unknown transition', (c) => (c.transitions['lost'] = []), 'transitions: lost is not a status'],
    ['a missing transition', (c) => delete c.transitions['pending'], 'transitions: pending must list statuses'],
    [
      'a role of the wrong status',
      (c) => (c.roles['shipped'] = 3001),
      'roles: shipped must be the code of a status that is confirmed',
    ],
  ])('with %s is rejected', (_, change, issue) => {
    expect(issuesOf(change)).toContain(issue);
  });

  it.each([undefined, null])('need not name the events of its roles: %s', (event) => {
    const bare = file();
    bare.statuses = bare.statuses.map((status) => ({ ...status, event }));
    const { entry } = parseStatusCatalogue(bare);
    const events = [1001, 1002, 2000, 2002, 2004, 3005].map((code) => entry(code)?.event);
    const roles = ['OrderPending', 'OrderHeldForReview', 'OrderConfirmed', 'TicketsShipped', 'TicketsDelivered'];
    expect(events).toEqual([...roles, 'OrderRejected']);
  });

  it('reports all errors of its shape at once', () => {
    const issues = issuesOf((catalogue) => {
      catalogue.version = null;
      catalogue.roles = {};
    });
    expect(issues).toHaveLength(9);
  });
});
