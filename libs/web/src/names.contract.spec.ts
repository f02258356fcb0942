import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { NewApiToken } from '#accounts/api-token.contract';
import { NewDiscoveryKey } from '#accounts/discovery-key.contract';
import { NewOperator } from '#accounts/operator.contract';
import { NewPlatformClient, PlatformClientChange } from '#accounts/platform-client.contract';
import { MacroBody } from '#desk/macro.contract';
import { CustomQueueBody } from '#desk/queue.contract';
import { SavedViewBody } from '#desk/saved-view.contract';
import { FraudRulesBody, PoliciesBody } from '#orders/screening.contract';
import { NewStreamToken } from '#outbound/stream-token.contract';

const where = { field: 'total', op: '<', value: 200 };

/** Whatever people name, with a name and nothing else that could be wrong. */
const NAMED: Readonly<Record<string, readonly [z.ZodType, (name: string) => object]>> = {
  'an operator': [NewOperator, (name) => ({ name, email: 'ada@example.com', roles: ['support'] })],
  'an API token': [NewApiToken, (name) => ({ name, scopes: ['orders:read'] })],
  'a stream token': [NewStreamToken, (name) => ({ name })],
  'a discovery key': [NewDiscoveryKey, (name) => ({ name })],
  'a platform client': [NewPlatformClient, (name) => ({ name })],
  'a renamed platform client': [PlatformClientChange, (name) => ({ name })],
  'a macro': [MacroBody, (name) => ({ name, steps: [{ type: 'assign_me' }] })],
  'a queue': [CustomQueueBody, (name) => ({ name, where, due: { field: 'placed_at', minutes: 30 } })],
  'a saved view': [SavedViewBody, (name) => ({ name })],
  'a policy': [PoliciesBody, (name) => ({ policies: [{ name, action: 'accept', where }] })],
  'a fraud rule': [FraudRulesBody, (name) => ({ rules: [{ name, where }] })],
};

describe.each(Object.entries(NAMED))('the name of %s', (_what, [schema, bodyOf]) => {
  it('has no blanks around it', () => {
    const { data, error } = schema.safeParse(bodyOf('  Large orders \u00a0'));
    expect(error).toBeUndefined();
    expect(JSON.stringify(data)).toContain('"name":"Large orders"');
  });

  it.each(['', ' ', '\t \u2003', 'a\u0007b', '\u200b'])('is not %j', (name) => {
    expect(schema.safeParse(bodyOf(name)).error?.issues.map(({ path }) => path.at(-1))).toEqual(['name']);
  });
});
