import { type Caller, operatorIdOf } from '#accounts/caller';
import type { MacroStep } from '../macro.contract.js';

/** Why the caller may not do one of the steps, as if it were done by itself; undefined if all are allowed. */
export function refusalOfSteps(steps: readonly MacroStep[], caller: Caller): string | undefined {
  return steps.flatMap((step) => refusalOf(step, caller) ?? [])[0];
}

function refusalOf(step: MacroStep, caller: Caller): string | undefined {
  const { sellers, permissions } = caller;
  switch (step.type) {
    case 'tag':
      return sellers ? 'brokers cannot tag or assign orders' : undefined;
    case 'assign_me':
      if (sellers) return 'brokers cannot tag or assign orders';
      return operatorIdOf(caller) === undefined ? 'only people can take an order' : undefined;
    case 'note':
      if (!permissions.includes('orders:note')) return 'orders:note';
      return sellers && step.visibility === 'internal' ? 'brokers write no internal notes' : undefined;
    case 'mail':
    case 'snooze':
      return permissions.includes('orders:act') ? undefined : 'orders:act';
  }
}
