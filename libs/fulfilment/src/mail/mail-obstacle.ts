import type { MailKind } from '../mail-templates.js';
import { IS_SAMPLE_ORDER } from '#listings/sample-ids';

// A show without a time goes on some time within its day at the venue, one without a date on some later day.
const IS_OVER = `exists (
  select from discovery_events e
  where e.id = case when o.event_id ~ '^[1-9][0-9]{0,8}$' then o.event_id::int end
    and not coalesce((e.document ->> 'date_tbd')::boolean, false)
    and coalesce(e.visible_until, e.datetime_utc + interval '4 hours')
      + case when (e.document ->> 'time_tbd')::boolean then interval '1 day' else interval '0' end
      < now() at time zone 'utc')`;

const IS_IMPORTED = 'exists (select from pings p where p.order_id = o.id and p.imported)';

/** Why nobody gets a mail of the kind about the row `o` of `orders`, in SQL: words for staff, or null. Money goes back after the event, too, and a postponed one has no date yet. */
export function obstacleOf(kind: MailKind): string {
  const over = kind === 'refund' || kind === 'choice' ? '' : `when ${IS_OVER} then 'the event is over'`;
  return `case
  when ${IS_SAMPLE_ORDER} then 'the order is a sample, and its buyer is made up'
  when ${IS_IMPORTED} then 'the order was imported, and its buyer heard from whoever sold it'
  ${over}
end`;
}
