import type { Commit, InlineWriter } from '#event-store/inline-writer';
import { isStatusEvent, orderIdOf } from '#projections/order-events';
import { DATABASE_NOW } from './due-pings.writer.js';
import { madeDueAt } from './ping-statements.js';

/** The attachment of an append that makes the order's latest ping due again. */
export const RESEND_LATEST = { resendLatestPing: true } as const;

/**
 * Makes the latest ping of an order due again in the transaction of the change that the platform is to read. A status that is
 * recorded with the change has a ping of its own.
 */
export const resentPingsWriter: InlineWriter = {
  name: 'resent_pings',
  columns: { order_id: 'text', sequence: 'int' },
  // Locked in the order in which the workers lock them.
  statement: (rows) => `
    update pings set ${madeDueAt(DATABASE_NOW)}
    from (select pings.order_id as id, pings.sequence as place from ${rows} join pings using (order_id, sequence)
          order by 1, 2 for update of pings) as chosen
    where order_id = id and sequence = place returning 1`,
  rows: resentPings,
};

function resentPings({ stream, past, appended, attachments }: Commit): readonly object[] {
  const orderId = orderIdOf(stream);
  const isAsked = 'resendLatestPing' in attachments;
  if (!isAsked || orderId === undefined || appended.some(isStatusEvent)) return [];
  const sequence = past.filter(isStatusEvent).length;
  return sequence === 0 ? [] : [{ order_id: orderId, sequence }];
}
