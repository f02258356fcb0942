import { PurchaseError } from '#orders/commands/purchase-error';
import type { Answer } from '../../callers.js';
import type { Stand } from '../../stand/stand.js';
import type { Till } from './shop.js';

/** The till of whole processes. */
export function standTill({ payment, staff }: Stand): Till {
  return {
    async buy(body) {
      const answer = await payment.buy(body);
      if (answer.status === 400) throw new PurchaseError([]);
      return (done(answer).body as { id: string }).id;
    },
    reject: async (id) => done(await staff.changeStatus(id, 3004)),
    refund: async (id, _refundId, cents) =>
      done(await staff.send('POST', `orders/${id}/refunds`, { amount: cents / 100, reason: 'other' })),
  };
}

function done(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
}
