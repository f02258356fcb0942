import { describe, expect, it } from 'vitest';
import { failedMail, recipientsOf } from './delivery-status.js';

type Given = Readonly<{ action?: string; status?: string; id?: string; type?: string; above?: string }>;

/** As Postfix writes it. */
function postfix({
  action = 'failed',
  status = '5.1.1',
  id = '<mai_1@tickets.example>',
  type,
  above = '',
}: Given = {}) {
  return `Return-Path: <>
Received: by mx.example.net (Postfix) id 4XyQ2k3hZz; Mon, 23 Nov 2026 04:11:02 +0000 (UTC)
Date: Mon, 23 Nov 2026 04:11:02 +0000 (UTC)
From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: tickets@front-row.example
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: ${type ?? 'multipart/report; report-type=delivery-status'};
	boundary="4XyQ2k2q0Jz.1732335062/mx.example.net"
Message-Id: <20261123041102.4XyQ2k3hZz@mx.example.net>

This is a MIME-encapsulated message.

--4XyQ2k2q0Jz.1732335062/mx.example.net
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.net.
${above}
<ada@example.com>: host mail.example.com said: 550 5.1.1 No such user

--4XyQ2k2q0Jz.1732335062/mx.example.net
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
X-Postfix-Queue-ID: 4XyQ2k3hZz
Arrival-Date: Mon, 23 Nov 2026 04:11:01 +0000 (UTC)

Final-Recipient: rfc822; ada@example.com
Original-Recipient: rfc822;ada@example.com
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; 550 5.1.1
    No such user

--4XyQ2k2q0Jz.1732335062/mx.example.net
Content-Description: Undelivered Message
Content-Type: message/rfc822

Return-Path: <tickets@front-row.example>
Message-ID: ${id}
From: Front Row <tickets@front-row.example>
To: ada@example.com
Subject: Your order is confirmed

Hello Ada,

--4XyQ2k2q0Jz.1732335062/mx.example.net--
`;
}

/** As Exchange writes it: only the headers come back, the boundary is not quoted, the identifier is on a line of its own. */
const EXCHANGE = `From: postmaster@corp.example
To: tickets@front-row.example
MIME-Version: 1.0
Content-Type: multipart/report; boundary=_000_4f1a; report-type=delivery-status
Subject: Undeliverable: Your order is confirmed

--_000_4f1a
Content-Type: multipart/alternative; differences=Content-Type; boundary="_001_4f1a"

--_001_4f1a
Content-Type: text/plain; charset="us-ascii"

Your message couldn't be delivered.
--_001_4f1a--

--_000_4f1a
Content-Type: message/delivery-status

Reporting-MTA: dns;AM0PR01.corp.example
Received-From-MTA: dns;mx.front-row.example

Final-recipient: RFC822;grace@corp.example
Action: failed
Status: 5.7.133
Diagnostic-Code: smtp;550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup

--_000_4f1a
Content-Type: text/rfc822-headers

Received: from mx.front-row.example by AM0PR01.corp.example
Message-ID:
 <mai_2@tickets.example>
Subject: Your order is confirmed

--_000_4f1a--
`;

const read = (text: string) => failedMail(Buffer.from(text));

describe('failedMail', () => {
  it('reads what mail servers write, with the line ends of any machine', async () => {
    const found = { messageId: '<mai_1@tickets.example>', status: '5.1.1' };
    expect(await read(postfix())).toEqual(found);
    expect(await read(postfix().replaceAll('\n', '\r\n'))).toEqual(found);
    expect(await read(EXCHANGE)).toEqual({ messageId: '<mai_2@tickets.example>', status: '5.7.133' });
  });

  it('takes a server that gave up as a failure', async () => {
    expect(await read(postfix({ status: '4.4.7' }))).toMatchObject({ status: '4.4.7' });
  });

  it.each([
    ['that is delayed', { action: 'delayed', status: '4.4.1' }],
    ['that was delivered', { action: 'delivered', status: '2.0.0' }],
    ['whose failure is a success', { status: '2.1.5' }],
    ['that is no report', { type: 'multipart/mixed' }],
    ['that is a report of something else', { type: 'multipart/report; report-type=disposition-notification' }],
  ])('finds nothing in a message %s', async (_, given) => {
    expect(await read(postfix(given))).toBeUndefined();
  });

  it('believes only the report, not what somebody wrote above it', async () => {
    const above = 'Message-ID: <mai_9@tickets.example>\nAction: failed\nStatus: 5.0.0\n';
    expect(await read(postfix({ above, action: 'delayed' }))).toBeUndefined();
    expect(await read(postfix({ above }))).toMatchObject({ messageId: '<mai_1@tickets.example>' });
  });

  it('reads a message that was cut off in the returned text, and nothing in one that was cut off before', async () => {
    const text = postfix();
    expect(await read(text.slice(0, text.indexOf('Hello Ada')))).toMatchObject({
      messageId: '<mai_1@tickets.example>',
    });
    expect(await read(text.slice(0, text.indexOf('Final-Recipient')))).toBeUndefined();
  });

  it('reads a report in one block, as AOL and SurfControl write it', async () => {
    const text = postfix().replace('+0000 (UTC)\n\nFinal-Recipient', '+0000 (UTC)\nFinal-Recipient');
    expect(text).not.toBe(postfix());
    expect(await read(text)).toEqual({ messageId: '<mai_1@tickets.example>', status: '5.1.1' });
    expect(await read(text.replace('Action: failed', 'Action: delayed'))).toBeUndefined();
  });

  it('reads a report that returns no part of the mail, as Exchange and Office 365 write it', async () => {
    const text = `${EXCHANGE.slice(0, EXCHANGE.indexOf('--_000_4f1a\nContent-Type: text/rfc822-headers'))}--_000_4f1a--\n`;
    expect(await read(text)).toEqual({ messageId: undefined, status: '5.7.133' });
  });

  it.each(['', '\n\n', 'Content-Type: multipart/report; report-type=delivery-status; boundary=a', '\0'.repeat(10_000)])(
    'finds nothing in %j',
    async (text) => expect(await read(text)).toBeUndefined(),
  );
});

it('the addresses that a message came to are those of its own head', () => {
  const head =
    'Delivered-To: bounces+1-ab@tickets.example\nTo: Tickets <bounces+2-cd@tickets.example>,\n a@b.example\n';
  expect(recipientsOf(Buffer.from(`${head}\nTo: other@b.example\n`))).toEqual([
    'bounces+1-ab@tickets.example',
    'bounces+2-cd@tickets.example',
    'a@b.example',
  ]);
});
