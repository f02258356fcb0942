import type { RenderedMail } from '#mail/mail-page';
import { accountMail } from './account-mails.js';
import { inboxMail } from './inbox/inbox-mails.js';

const NOTICE = { name: 'Mara Voss', order_id: 'ord_0123456789abcdef0123456789abcdef', orders: 1, operator_id: 'opr_1' };

/** The e-mails to people with an account, about what never happened. */
export function accountMailSamples(publicUrl: string): Readonly<Record<'account' | 'notices', RenderedMail>> {
  const at = new Date('2027-05-14T20:00:00Z');
  return {
    account: accountMail({ change: 'password', at, by_self: true }, publicUrl),
    notices: inboxMail(
      [
        { ...NOTICE, kind: 'mention' },
        { ...NOTICE, kind: 'assigned' },
      ],
      publicUrl,
    ),
  };
}
